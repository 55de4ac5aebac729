// Addresses are paths (History API); `?agent=` says whose memory is shown.
import { computed, signal } from "@preact/signals";

/** What an entry of the browser's history remembers beside its address: Back finds a page as it was left. */
export interface Kept { scroll?: number; all?: string }
export interface Place { path: string; query: URLSearchParams; hash: string; kept: Kept }

const hasWindow = typeof window !== "undefined";

function read(): Place {
  if (!hasWindow) return { path: "/", query: new URLSearchParams(), hash: "", kept: {} };
  return { path: location.pathname, query: new URLSearchParams(location.search), hash: location.hash, kept: (history.state as Kept | null) ?? {} };
}

export const place = signal<Place>(read());
/** Whose memory; empty is the server's own agent. */
export const agent = computed(() => place.value.query.get("agent") ?? "");

/** Asked before a page is left; false keeps the reader there. */
export const guard: { mayLeave: (() => boolean) | null } = { mayLeave: null };

export function withAgent(path: string, whose = agent.value): string {
  const [before = "", hash = ""] = path.split("#");
  const [plain = "", asked = ""] = before.split("?");
  const query = new URLSearchParams(asked);
  if (whose && !query.has("agent")) query.set("agent", whose);
  const said = query.toString();
  return plain + (said ? `?${said}` : "") + (hash ? `#${hash}` : "");
}

export function go(path: string, { replace = false, whose }: { replace?: boolean; whose?: string } = {}): void {
  if (guard.mayLeave && !replace && !guard.mayLeave()) return;
  const target = withAgent(path, whose ?? agent.value);
  stopScrolling();
  if (replace) history.replaceState(history.state, "", target);
  else {
    history.replaceState({ ...place.value.kept, scroll: window.scrollY }, "");
    history.pushState(null, "", target);
  }
  const moved = place.value.path !== location.pathname;
  place.value = read();
  if (!replace && moved) window.scrollTo(0, 0);
}

/** Remember something with this entry of the browser's history. */
export function keepInEntry(more: Kept): void {
  history.replaceState({ ...place.value.kept, ...more }, "");
  place.value = read();
}

const LONGEST_WAIT = 5000; // milliseconds in which what a page had may come back
const OWN_MOVES = ["wheel", "touchstart", "keydown", "pointerdown"] as const;
let stopScrolling = (): void => {};

/** Go to where the page was left, as soon as it is long enough again; whoever moves meanwhile is left alone. */
function scrollBack(to: number): void {
  const observer = new ResizeObserver(() => {
    window.scrollTo(0, to);
    if (Math.abs(window.scrollY - to) < 2) stopScrolling();
  });
  const timer = setTimeout(() => stopScrolling(), LONGEST_WAIT);
  stopScrolling = () => {
    observer.disconnect();
    clearTimeout(timer);
    for (const move of OWN_MOVES) window.removeEventListener(move, stopScrolling);
    stopScrolling = () => {};
  };
  for (const move of OWN_MOVES) window.addEventListener(move, stopScrolling, { passive: true });
  observer.observe(document.body);
}

/** A note's page; the parts of its path are encoded one by one. */
export function noteAddress(path: string, line?: number): string {
  return `/notes/${path.split("/").map(encodeURIComponent).join("/")}${line ? `#L${line}` : ""}`;
}

/** The rest of an address behind a page's own part, decoded; broken escapes stay as they are. */
export function restOf(path: string, page: string): string {
  const rest = path.startsWith(page + "/") ? path.slice(page.length + 1) : "";
  return rest.split("/").map(decode).join("/");
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function startRouter(): void {
  window.addEventListener("popstate", () => {
    stopScrolling();
    place.value = read();
    if (place.value.kept.scroll) scrollBack(place.value.kept.scroll);
  });
  window.addEventListener("hashchange", () => (place.value = read()));
  document.addEventListener("click", (event) => {
    const link = (event.target as Element | null)?.closest?.("a");
    if (!link || event.defaultPrevented || event.button !== 0) return;
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || link.target || link.hasAttribute("download")) return;
    if (link.origin !== location.origin || link.getAttribute("href")?.startsWith("#")) return;
    event.preventDefault();
    go(link.pathname + link.search + link.hash);
  });
}
