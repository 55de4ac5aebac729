// Addresses are paths (History API); `?agent=` says whose memory is shown.
import { computed, signal } from "@preact/signals";

export interface Place { path: string; query: URLSearchParams; hash: string }

const hasWindow = typeof window !== "undefined";

function read(): Place {
  if (!hasWindow) return { path: "/", query: new URLSearchParams(), hash: "" };
  return { path: location.pathname, query: new URLSearchParams(location.search), hash: location.hash };
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
  if (replace) history.replaceState(null, "", target);
  else history.pushState(null, "", target);
  const moved = place.value.path !== location.pathname;
  place.value = read();
  if (!replace && moved) window.scrollTo(0, 0);
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
  window.addEventListener("popstate", () => (place.value = read()));
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
