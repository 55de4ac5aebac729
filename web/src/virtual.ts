// Which rows of a long list are drawn: those in sight and some around, never more than sixty.
export const MOST_ROWS = 60;
const AROUND = 8;

export interface Window { first: number; last: number; before: number; after: number }

/** Rows `first` up to, not including, `last`; `before` and `after` are the pixels that stand for the others. */
export function windowOf(count: number, rowHeight: number, top: number, height: number): Window {
  const inSight = Math.ceil(height / rowHeight) + 1;
  const around = Math.max(0, Math.min(AROUND, Math.floor((MOST_ROWS - inSight) / 2)));
  const wanted = Math.floor(top / rowHeight) - around;
  const size = Math.min(MOST_ROWS, inSight + 2 * around);
  const first = Math.max(0, Math.min(wanted, count - size));
  const last = Math.min(count, first + size);
  return { first, last, before: first * rowHeight, after: Math.max(0, count - last) * rowHeight };
}

/** Where to scroll so that a row is in sight; as before where it is. */
export function scrollTo(row: number, rowHeight: number, top: number, height: number): number {
  const start = row * rowHeight;
  if (start < top) return start;
  if (start + rowHeight > top + height) return start + rowHeight - height;
  return top;
}
