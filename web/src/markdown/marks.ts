// The comments that Holdfast writes behind a line: the mark of a fact, of what waits, of what a dream took over.
export interface Mark { kind: "fact" | "waits" | "dream"; fields: Record<string, string> }

const MARK = /^<!--\s*(fact|waits|dream)\s+([^<>]*?)\s*-->$/;
const FIELD = /([a-z_]+)=(?:"([^"]*)"|(\S+))/g;

export function markOf(comment: string): Mark | null {
  const found = MARK.exec(comment.trim());
  if (!found) return null;
  const fields: Record<string, string> = {};
  for (const match of found[2]!.matchAll(FIELD)) fields[match[1]!] = match[2] ?? match[3] ?? "";
  return { kind: found[1] as Mark["kind"], fields };
}
