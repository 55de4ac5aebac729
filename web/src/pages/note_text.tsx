// The text of a note as it is read. Of a long one some blocks around the line that is meant are drawn, else the first.
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useMemo, useState } from "preact/hooks";
import { type Block, plainOf } from "../markdown/parse.ts";
import { partAround, pieceAt, piecesOf } from "../markdown/pieces.ts";
import { anchorOf, Markdown } from "../markdown/render.tsx";
import { Button } from "../parts/basic.tsx";
import { place } from "../router.ts";
import type { Run } from "../shapes.ts";
import { paths } from "../store.ts";
import { T } from "../texts.ts";

const BEFORE = 100; // paragraphs above the line that is meant
const BEHIND = 400; // and below it
const STEP = 400; // more on a button

interface Widened { here: string; earlier: number; later: number; from: number | null }

export function NoteText({ path, blocks, runs }: { path: string; blocks: Block[]; runs: readonly Run[] }): JSX.Element {
  const { hash } = place.value;
  const here = path + hash;
  const [widened, setWidened] = useState<Widened>({ here, earlier: 0, later: 0, from: null });
  const { earlier, later, from } = widened.here === here ? widened : { earlier: 0, later: 0, from: null };
  const pieces = useMemo(() => piecesOf(blocks), [blocks]);
  const at = useMemo(() => placeOf(pieces, hash), [pieces, hash]);
  const { first, last } = partAround(pieces, at, BEFORE + earlier, BEHIND + later);
  useEffect(() => {
    if (lineIn(hash) !== null) document.querySelector(".markdown .marked")?.scrollIntoView({ block: "center" });
    else if (hash.startsWith("#h-")) document.getElementById(named(hash))?.scrollIntoView();
  }, [here]);
  // What was read stays in sight when more comes above it.
  useLayoutEffect(() => {
    if (from !== null) document.querySelector(`.markdown [data-line="${from}"]`)?.scrollIntoView({ block: "center" });
  }, [from, earlier]);
  const more = (direction: "earlier" | "later") => (): void =>
    setWidened({ here, earlier, later, from: direction === "earlier" ? (pieces[first]?.line ?? null) : null, [direction]: (direction === "earlier" ? earlier : later) + STEP });
  return (
    <div>
      {first > 0 ? <p><Button onClick={more("earlier")}>{T.note.earlier(first)}</Button></p> : null}
      <Markdown blocks={pieces.slice(first, last)} reading={{ base: path, paths: paths.value, runs, marked: lineIn(hash) }} />
      {last < pieces.length ? <p><Button onClick={more("later")}>{T.note.further(pieces.length - last)}</Button></p> : null}
    </div>
  );
}

function placeOf(pieces: Block[], hash: string): number {
  const line = lineIn(hash);
  if (line !== null) return pieceAt(pieces, line);
  if (!hash.startsWith("#h-")) return 0;
  const wanted = named(hash);
  return Math.max(0, pieces.findIndex((one) => one.t === "heading" && anchorOf(plainOf(one.inside)) === wanted));
}

function named(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return hash.slice(1);
  }
}

export function lineIn(hash: string): number | null {
  const found = /^#L(\d{1,7})$/.exec(hash);
  return found ? Number(found[1]) : null;
}

/** The address of the line that is read: the one that is meant while it is in sight, else the first that is. */
export function lineInSight(): string {
  if (lineIn(place.value.hash) !== null && isInSight(document.querySelector(".markdown .marked"))) return place.value.hash;
  const drawn = [...document.querySelectorAll<HTMLElement>(".markdown [data-line]")];
  const first = drawn.findIndex(isInSight);
  return first > 0 ? `#L${drawn[first]!.dataset.line}` : "";
}

function isInSight(drawn: Element | null): boolean {
  if (!drawn) return false;
  const { top, bottom } = drawn.getBoundingClientRect();
  return bottom > 0 && top < window.innerHeight;
}
