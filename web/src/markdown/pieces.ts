// Of a long note only a part is drawn: what stands around one place, and more on a button. So that a list of thousands
// does not count as one block, long lists, tables and code are cut into pieces, each with its own lines.
import type { Block } from "./parse.ts";

const LONGEST = 100; // items or rows of one piece
const LONGEST_CODE = 1000; // lines
const LINES_OF_CODE = 20; // cost as much to draw as a paragraph

export interface Part { first: number; last: number }

export function piecesOf(blocks: Block[]): Block[] {
  return blocks.flatMap((block): Block[] => {
    if (block.t === "list") return cut(block.items, LONGEST, (items, at) => ({ ...block, items, start: block.start + at, line: items[0]!.line, end: items.at(-1)!.end }), block);
    if (block.t === "table") return cut(block.rows, LONGEST, (rows, at) => ({ ...block, rows, line: at ? block.line + 2 + at : block.line, end: block.line + 1 + at + rows.length }), block);
    if (block.t !== "code") return [block];
    const lines = block.text.split("\n");
    const fence = block.end - block.line + 1 > lines.length ? 1 : 0;
    return cut(lines, LONGEST_CODE, (some, at) => ({ ...block, text: some.join("\n"), line: at ? block.line + fence + at : block.line, end: block.line + fence + at + some.length - 1 }), block);
  });
}

function cut<T>(all: T[], most: number, make: (some: T[], at: number) => Block, whole: Block): Block[] {
  if (all.length <= most) return [whole];
  return Array.from({ length: Math.ceil(all.length / most) }, (_, number) => make(all.slice(number * most, (number + 1) * most), number * most));
}

/** How much a block costs to draw, in paragraphs. */
function costOf(block: Block): number {
  if (block.t === "list") return block.items.length;
  if (block.t === "table") return block.rows.length;
  return block.t === "code" ? block.text.length / 80 / LINES_OF_CODE : 1;
}

/** The block in which a line stands, or behind which it would. */
export function pieceAt(pieces: Block[], line: number): number {
  let low = 0;
  let high = pieces.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (pieces[middle]!.line <= line) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The blocks `first` up to, not including, `last` around one of them: about so much before it, and so much behind. */
export function partAround(pieces: Block[], at: number, before: number, after: number): Part {
  let first = at;
  for (let left = before; first > 0 && left > 0; first--) left -= costOf(pieces[first - 1]!);
  let last = at;
  for (let left = after; last < pieces.length && left > 0; last++) left -= costOf(pieces[last]!);
  return { first, last };
}
