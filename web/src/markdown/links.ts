// Where a link of a note may lead. Whatever is not plainly one of ours, of the web or of the post is shown as text.
import { hasHidden } from "../invisibles.ts";

export type Target =
  | { kind: "note"; path: string; line: number | null }
  | { kind: "here"; anchor: string }
  | { kind: "web"; href: string; host: string }
  | { kind: "mail"; href: string }
  | { kind: "none" };

const NONE: Target = { kind: "none" };
const SCHEME = /^([a-z][a-z0-9+.-]*):/i;
const LINE = /^L?(\d{1,7})$/;
const LONGEST = 2000;

/** `base` is the path of the note that the link stands in; links are relative to its folder. */
export function targetOf(href: string, base = ""): Target {
  // Browsers drop tabs and line ends, and read a backslash as a slash: what they would mend is refused.
  if (!href || href.length > LONGEST || /[\u0000-\u0020\u007f-\u009f\\]/.test(href) || hasHidden(href)) return NONE;
  if (href.startsWith("#")) return { kind: "here", anchor: href.slice(1) };
  if (href.startsWith("//")) return NONE;
  const scheme = SCHEME.exec(href)?.[1]?.toLowerCase();
  if (scheme === "http" || scheme === "https") return web(href);
  if (scheme === "mailto") return /^mailto:[^\s?@]+@[^\s?@]+$/i.test(href) ? { kind: "mail", href } : NONE;
  if (scheme !== undefined) return NONE;
  return note(href, base);
}

function web(href: string): Target {
  if (!/^https?:\/\/[^/]/i.test(href)) return NONE;
  let url: URL;
  try {
    url = new URL(href);
  } catch {
    return NONE;
  }
  // An address "bank.example@evil.example" goes to the second; nobody writes that for a reason of their own.
  if (url.username || url.password || /^https?:\/\/[^/?#]*@/i.test(href) || !url.host) return NONE;
  return { kind: "web", href: url.href, host: url.host };
}

function note(href: string, base: string): Target {
  const [written = "", anchor = ""] = href.split("#");
  if (written.includes("?")) return NONE;
  let decoded: string;
  try {
    decoded = decodeURIComponent(written);
  } catch {
    return NONE;
  }
  if (/[\u0000-\u001f\u007f\\]/.test(decoded) || decoded.startsWith("//") || hasHidden(decoded)) return NONE;
  const path = resolve(decoded, base);
  if (path === null || !/\.md$/i.test(path)) return NONE;
  const line = LINE.exec(anchor);
  return { kind: "note", path, line: line ? Number(line[1]) : null };
}

function resolve(written: string, base: string): string | null {
  // `memory/x.md` is how citations name a note, wherever they stand.
  const rooted = written.startsWith("/") || /^(memory\/|agents\/|MEMORY\.md$|USER\.md$)/.test(written);
  const parts = rooted ? [] : base.split("/").slice(0, -1);
  for (const part of written.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return parts.join("/") || null;
}

/** `[[name]]` → the path of a note: by its whole path, or by its name where it is the only one. */
export function wikiTarget(name: string, paths: readonly string[]): string | null {
  const wanted = name.trim().replace(/\.md$/i, "").toLowerCase();
  if (!wanted) return null;
  const bare = (path: string): string => path.replace(/\.md$/i, "").toLowerCase();
  const whole = paths.find((path) => bare(path) === wanted || bare(path) === `memory/${wanted}`);
  if (whole) return whole;
  const named = paths.filter((path) => bare(path).endsWith(`/${wanted}`));
  return named.length === 1 ? named[0]! : null;
}
