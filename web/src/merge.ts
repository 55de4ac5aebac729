// Yours and theirs, both made from one text → both together; where they changed the same lines, one after the other.
import { diffItems } from "./diff.ts";

interface Edit { from: number; to: number; lines: string[] }
export interface Merged { text: string; clashes: number }

function editsOf(base: string[], other: string[]): Edit[] {
  const edits: Edit[] = [];
  let at = 0;
  let open: Edit | null = null;
  for (const { op, items } of diffItems(base, other)) {
    if (op === "same") {
      at += items.length;
      open = null;
      continue;
    }
    if (!open) {
      open = { from: at, to: at, lines: [] };
      edits.push(open);
    }
    if (op === "gone") {
      at += items.length;
      open.to = at;
    } else open.lines.push(...items);
  }
  return edits;
}

const touch = (one: Edit, other: Edit): boolean => one.from <= other.to && other.from <= one.to;
const alike = (one: string[], other: string[]): boolean => one.join("\n") === other.join("\n");

export function merge3(base: string, yours: string, theirs: string): Merged {
  const lines = base.split("\n");
  const mine = editsOf(lines, yours.split("\n"));
  const others = editsOf(lines, theirs.split("\n"));
  const made: string[] = [];
  let at = 0;
  let clashes = 0;
  while (mine.length || others.length) {
    const first = [mine[0], others[0]].filter((edit) => edit !== undefined).sort((a, b) => a.from - b.from)[0]!;
    let to = first.to;
    const from = first.from;
    const group: { mine: Edit[]; others: Edit[] } = { mine: [], others: [] };
    for (let grew = true; grew; ) {
      grew = false;
      for (const [side, into] of [[mine, group.mine], [others, group.others]] as const) {
        while (side[0] && touch(side[0], { from, to, lines: [] })) {
          to = Math.max(to, side[0].to);
          into.push(side.shift()!);
          grew = true;
        }
      }
    }
    made.push(...lines.slice(at, from));
    const left = sideOf(lines, group.mine, from, to);
    const right = sideOf(lines, group.others, from, to);
    if (!group.others.length || alike(left, right)) made.push(...left);
    else if (!group.mine.length) made.push(...right);
    else {
      clashes++;
      made.push(...right, ...left);
    }
    at = to;
  }
  made.push(...lines.slice(at));
  return { text: made.join("\n"), clashes };
}

/** What one side has made of the lines from…to. */
function sideOf(base: string[], edits: Edit[], from: number, to: number): string[] {
  const made: string[] = [];
  let at = from;
  for (const edit of edits) {
    made.push(...base.slice(at, edit.from), ...edit.lines);
    at = edit.to;
  }
  return [...made, ...base.slice(at, to)];
}
