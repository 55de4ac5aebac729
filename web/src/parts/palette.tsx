// Ctrl-K: notes, pages and actions by their names.
import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { PAGES } from "../pages/table.tsx";
import { go, noteAddress } from "../router.ts";
import { loadTree, treeRows } from "../store.ts";
import { T } from "../texts.ts";
import { filtered } from "../tree.ts";
import { Text } from "./basic.tsx";
import { Dialog } from "./dialog.tsx";
import { helpOpen } from "./help.tsx";
import { Icon, type IconName } from "./icons.tsx";
import { theme } from "./theme.ts";
import { undoLast } from "./toast.tsx";

export const paletteOpen = signal(false);
const MOST = 12;

interface Entry { icon: IconName; text: string; about: string; run: () => void }

function actions(): Entry[] {
  const pages = PAGES.map((page): Entry => ({ icon: page.name, text: T.pages[page.name].name, about: T.pages[page.name].about, run: () => go(page.to) }));
  return [
    ...pages,
    { icon: "plus", text: T.notes.make, about: T.palette.action, run: () => go("/notes?new=1") },
    { icon: "undo", text: T.keys.undo, about: T.palette.action, run: () => void undoLast() },
    { icon: "settings", text: theme.value === "dark" ? T.palette.light : T.palette.dark, about: T.palette.action, run: () => (theme.value = theme.value === "dark" ? "light" : "dark") },
    { icon: "facts", text: T.keys.help, about: T.palette.action, run: () => (helpOpen.value = true) },
  ];
}

function entriesFor(query: string): Entry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (text: string): boolean => words.every((word) => text.toLowerCase().includes(word));
  const named = actions().filter((one) => fits(`${one.text} ${one.about}`));
  if (!words.length) return named.slice(0, MOST);
  const notes = filtered(treeRows.value ?? [], query, MOST).map((line): Entry => ({ icon: "notes", text: line.path, about: T.palette.note, run: () => go(noteAddress(line.path)) }));
  const search: Entry = { icon: "search", text: T.palette.searchFor(query), about: T.pages.search.name, run: () => go(`/search?q=${encodeURIComponent(query)}`) };
  return [...named.slice(0, 4), ...notes, search].slice(0, MOST);
}

export function Palette(): JSX.Element | null {
  return paletteOpen.value ? <OpenPalette /> : null;
}

function OpenPalette(): JSX.Element {
  const [query, setQuery] = useState("");
  const [active, setActive] = useState(0);
  const close = (): void => void (paletteOpen.value = false);
  useEffect(() => void loadTree(), []);
  const entries = useMemo(() => entriesFor(query), [query, treeRows.value]);
  const run = (entry: Entry | undefined): void => {
    if (!entry) return;
    close();
    entry.run();
  };
  const key = (event: KeyboardEvent): void => {
    if (event.key === "Enter") run(entries[active]);
    else if (event.key === "ArrowDown") setActive(Math.min(entries.length - 1, active + 1));
    else if (event.key === "ArrowUp") setActive(Math.max(0, active - 1));
    else return;
    event.preventDefault();
  };
  return (
    <Dialog label={T.palette.label} close={close} kind="palette">
      <input
        type="text" autoFocus autocomplete="off" spellcheck={false} placeholder={T.palette.placeholder} aria-label={T.palette.label}
        role="combobox" aria-expanded="true" aria-controls="palette-list" aria-activedescendant={entries[active] ? `palette-${active}` : undefined}
        value={query} onKeyDown={key} onInput={(event) => (setQuery(event.currentTarget.value), setActive(0))}
      />
      <ul id="palette-list" role="listbox" aria-label={T.palette.label}>
        {entries.map((entry, at) => (
          <li key={at} id={`palette-${at}`} role="option" aria-selected={at === active} onMouseMove={() => setActive(at)} onClick={() => run(entry)}>
            <Icon name={entry.icon} /><span class="palette-text"><Text>{entry.text}</Text></span><span class="muted">{entry.about}</span>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
