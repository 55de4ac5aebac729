// Two texts → what differs, by lines, and within changed lines by words. Myers' way, bounded in work.
export type Op = "same" | "gone" | "new";
export interface Change<T> { op: Op; items: T[] }
export interface Word { op: Op; text: string }
export interface Row { op: Op; old: number | null; new: number | null; words: Word[] }

const MOST_STEPS = 2000; // edits; beyond that two texts have little in common, and are shown as one after the other

export function diffItems<T>(before: readonly T[], after: readonly T[]): Change<T>[] {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < before.length - head && tail < after.length - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  const made: Change<T>[] = [];
  const put = (op: Op, items: readonly T[]): void => {
    if (!items.length) return;
    const last = made.at(-1);
    if (last?.op === op) last.items.push(...items);
    else made.push({ op, items: [...items] });
  };
  put("same", before.slice(0, head));
  const middle = myers(before.slice(head, before.length - tail), after.slice(head, after.length - tail));
  for (const { op, items } of middle) put(op, items);
  put("same", before.slice(before.length - tail));
  return made;
}

function myers<T>(before: readonly T[], after: readonly T[]): Change<T>[] {
  const whole: Change<T>[] = [{ op: "gone", items: [...before] }, { op: "new", items: [...after] }];
  if (!before.length || !after.length) return whole;
  const most = Math.min(before.length + after.length, MOST_STEPS);
  const furthest = new Map<number, number>([[1, 0]]);
  const trace: Map<number, number>[] = [];
  for (let step = 0; step <= most; step++) {
    trace.push(new Map(furthest));
    for (let k = -step; k <= step; k += 2) {
      const down = k === -step || (k !== step && (furthest.get(k - 1) ?? -1) < (furthest.get(k + 1) ?? -1));
      let x = down ? (furthest.get(k + 1) ?? 0) : (furthest.get(k - 1) ?? 0) + 1;
      let y = x - k;
      while (x < before.length && y < after.length && before[x] === after[y]) {
        x++;
        y++;
      }
      furthest.set(k, x);
      if (x >= before.length && y >= after.length) return traced(before, after, trace, step);
    }
  }
  return whole;
}

function traced<T>(before: readonly T[], after: readonly T[], trace: Map<number, number>[], steps: number): Change<T>[] {
  const made: Change<T>[] = [];
  let x = before.length;
  let y = after.length;
  for (let step = steps; step > 0; step--) {
    const reached = trace[step]!;
    const k = x - y;
    const down = k === -step || (k !== step && (reached.get(k - 1) ?? -1) < (reached.get(k + 1) ?? -1));
    const fromK = down ? k + 1 : k - 1;
    const fromX = reached.get(fromK) ?? 0;
    const fromY = fromX - fromK;
    for (; x > fromX && y > fromY; y--) made.push({ op: "same", items: [before[--x]!] });
    if (down) made.push({ op: "new", items: [after[--y]!] });
    else made.push({ op: "gone", items: [before[--x]!] });
  }
  while (x > 0) made.push({ op: "same", items: [before[--x]!] });
  return made.reverse();
}

export function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];
}

/** Rows of a diff: gone lines before new ones, and where a line became another the words that differ. */
export function diffLines(before: string, after: string): Row[] {
  const rows: Row[] = [];
  let oldLine = 1;
  let newLine = 1;
  const changes = diffItems(linesOf(before), linesOf(after));
  for (let at = 0; at < changes.length; at++) {
    const { op, items } = changes[at]!;
    const next = changes[at + 1];
    if (op === "same") {
      for (const text of items) rows.push({ op, old: oldLine++, new: newLine++, words: [{ op, text }] });
      continue;
    }
    const gone = op === "gone" ? items : next?.op === "gone" ? next.items : [];
    const fresh = op === "new" ? items : next?.op === "new" ? next.items : [];
    if (gone.length && fresh.length) at++;
    const pairs = gone.map((text, place) => (place < fresh.length ? diffWords(text, fresh[place]!) : null));
    gone.forEach((text, place) => rows.push({ op: "gone", old: oldLine++, new: null, words: pairs[place]?.filter((word) => word.op !== "new") ?? [{ op: "gone", text }] }));
    fresh.forEach((text, place) => rows.push({ op: "new", old: null, new: newLine++, words: pairs[place]?.filter((word) => word.op !== "gone") ?? [{ op: "new", text }] }));
  }
  return rows;
}

/** The words of two lines; null where they have so little in common that marking words would only confuse. */
export function diffWords(before: string, after: string): Word[] | null {
  const made = diffItems(wordsOf(before), wordsOf(after)).map(({ op, items }) => ({ op, text: items.join("") }));
  const kept = made.filter((word) => word.op === "same").reduce((sum, word) => sum + word.text.trim().length, 0);
  return kept * 3 >= Math.max(before.trim().length, after.trim().length) ? made : null;
}

function linesOf(text: string): string[] {
  if (!text) return [];
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** The rows with only so many unchanged ones around each change; a number stands for those left out. */
export function folded(rows: Row[], around = 3): Array<Row | number> {
  const near = new Uint8Array(rows.length);
  rows.forEach((row, at) => {
    if (row.op !== "same") near.fill(1, Math.max(0, at - around), Math.min(rows.length, at + around + 1));
  });
  const made: Array<Row | number> = [];
  rows.forEach((row, at) => {
    if (near[at]) made.push(row);
    else if (typeof made.at(-1) === "number") made[made.length - 1] = (made.at(-1) as number) + 1;
    else made.push(1);
  });
  return made;
}
