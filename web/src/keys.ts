// Shortcuts: one key, two keys one after the other (`g n`), or with Ctrl. Never while one types in a field.
export interface Shortcut { keys: string; text: string; group: string; run: (event?: KeyboardEvent) => void }
interface Pressed { key: string; ctrlKey: boolean; metaKey: boolean; altKey: boolean; shiftKey?: boolean }

const SECOND_KEY = 1200; // milliseconds between the two keys of one shortcut

const shortcuts = new Set<Shortcut>();

export function shortcut(keys: string, text: string, group: string, run: () => void): () => void {
  const made = { keys, text, group, run };
  shortcuts.add(made);
  return () => shortcuts.delete(made);
}

export function allShortcuts(): Shortcut[] {
  return [...shortcuts];
}

export function nameOfKey(event: Pressed): string {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  return (event.ctrlKey || event.metaKey ? "Ctrl-" : "") + (event.key === "?" ? "?" : key);
}

export function isTyping(target: EventTarget | null): boolean {
  const element = (target as { closest?: (selector: string) => unknown } | null)?.closest ? (target as Element) : null;
  return element !== null && element.closest("input, textarea, select, [contenteditable], .editor") !== null;
}

/** Whether Enter or the space bar does something there by itself, as on a link. */
export function isPressed(event: KeyboardEvent): boolean {
  if (event.key !== "Enter" && event.key !== " ") return false;
  return (event.target as Element | null)?.closest?.("a, button, summary, [role=tree], [role=option]") != null;
}

/** Remembers the first of two keys. `press` gives the shortcut that a key completes, or null. */
export class Keyboard {
  private first = "";
  private at = 0;

  constructor(private readonly known: () => Shortcut[], private readonly now: () => number = Date.now) {}

  press(event: Pressed, typing: boolean): Shortcut | null {
    const name = nameOfKey(event);
    if (event.altKey || (typing && !name.startsWith("Ctrl-"))) return null;
    const first = this.now() - this.at <= SECOND_KEY ? this.first : "";
    this.first = "";
    // Those of the page stand behind those of the shell, and come first.
    const all = this.known().reverse();
    const found = (first && all.find((one) => one.keys === `${first} ${name}`)) || all.find((one) => one.keys === name);
    if (found) return found;
    if (all.some((one) => one.keys.startsWith(`${name} `))) {
      this.first = name;
      this.at = this.now();
    }
    return null;
  }
}

export function startKeys(): void {
  const keyboard = new Keyboard(allShortcuts);
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || isPressed(event)) return;
    const found = keyboard.press(event, isTyping(event.composedPath()[0] ?? null) || isTyping(event.target));
    if (!found) return;
    event.preventDefault();
    found.run(event);
  });
}
