// Where a label of the map may stand: beside what it names, within the picture, and on no other label.
export interface Box { left: number; top: number; right: number; bottom: number }

const meet = (one: Box, other: Box): boolean => one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

/** The first of these places that is free, which is taken from then on; null where none is. */
export function takePlace(places: Box[], taken: Box[], width: number, height: number): Box | null {
  const inside = (box: Box): boolean => box.left >= 0 && box.top >= 0 && box.right <= width && box.bottom <= height;
  const free = places.find((box) => inside(box) && !taken.some((other) => meet(box, other))) ?? null;
  if (free) taken.push(free);
  return free;
}

/** Right of a point, left of it, below and above: where the name of a note is looked for. */
export function placesBeside(x: number, y: number, width: number, height: number, gap: number): Box[] {
  const box = (left: number, top: number): Box => ({ left, top, right: left + width, bottom: top + height });
  return [box(x + gap, y - height / 2), box(x - gap - width, y - height / 2), box(x - width / 2, y + gap), box(x - width / 2, y - gap - height)];
}

/** At a point, then further and further below and above it: where the name of a group is looked for. */
export function placesAround(x: number, y: number, width: number, height: number, steps: number): Box[] {
  const offsets = Array.from({ length: 2 * steps + 1 }, (_, at) => (at % 2 ? 1 : -1) * Math.ceil(at / 2) * height);
  return offsets.map((offset) => ({ left: x - width / 2, top: y - height / 2 + offset, right: x + width / 2, bottom: y + height / 2 + offset }));
}
