// The map: where notes lie by meaning, computed by the server and drawn once; beside it the same as a list.
import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { call } from "../api.ts";
import { useLoad } from "../load.ts";
import { Busy, Empty, Failure, NoteLink, Page, Text } from "../parts/basic.tsx";
import { theme } from "../parts/theme.ts";
import { go, noteAddress } from "../router.ts";
import type { NoteMap } from "../shapes.ts";
import { agentName } from "../store.ts";
import { T } from "../texts.ts";
import { type Box, placesAround, placesBeside, takePlace } from "./map_labels.ts";

const NEAR = 14; // pixels around the pointer in which a point is meant
const MARGIN = 34;
const LISTED = 40; // notes of a group, until one asks for more
const NAMED = 60; // notes, up to which each has its name beside it
const TURN = 137.5; // degrees between the hues of two groups

export function MapPage(): JSX.Element {
  const loaded = useLoad((signal) => call("GET /map", { signal }), [agentName.value]);
  const data = loaded.data;
  const [chosen, setChosen] = useState<number | null>(null);
  return (
    <Page title={T.pages.map.name} wide lead={T.map.about}>
      <Failure text={loaded.error} again={loaded.reload} />
      <Busy when={loaded.busy && !data}>{T.map.drawing}</Busy>
      {data && !data.points.length ? <Empty title={T.map.none}><p><Text>{data.because}</Text></p><p>{T.map.noneAbout}</p></Empty> : null}
      {data?.points.length ? <div class="map"><Drawn data={data} chosen={chosen} /><List data={data} chosen={chosen} choose={setChosen} /></div> : null}
    </Page>
  );
}

const hueOf = (group: number): number => (175 + group * TURN) % 360;

function Drawn({ data, chosen }: { data: NoteMap; chosen: number | null }): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  const [over, setOver] = useState<{ path: string; x: number; y: number } | null>(null);
  const at = (x: number, y: number): [number, number] => [MARGIN + x * (size.width - 2 * MARGIN), MARGIN + y * (size.height - 2 * MARGIN)];
  useEffect(() => {
    const element = canvas.current!;
    const measure = new ResizeObserver(() => setSize({ width: element.clientWidth, height: element.clientHeight }));
    measure.observe(element);
    return () => measure.disconnect();
  }, []);
  useEffect(() => {
    if (size.width) draw(canvas.current!, data, size, at, chosen);
  }, [data, size, chosen, theme.value]);
  const nearest = (event: MouseEvent): number => {
    const box = canvas.current!.getBoundingClientRect();
    const [left, top] = [event.clientX - box.left, event.clientY - box.top];
    let found = -1;
    let best = NEAR * NEAR;
    data.points.forEach(([x, y], index) => {
      const [pointX, pointY] = at(x, y);
      const distance = (pointX - left) ** 2 + (pointY - top) ** 2;
      if (distance < best) [best, found] = [distance, index];
    });
    return found;
  };
  const pathOf = (index: number): string => data.notes[data.points[index]![2]] ?? "";
  const move = (event: MouseEvent): void => {
    const index = nearest(event);
    if (index < 0) return setOver(null);
    const [x, y] = at(data.points[index]![0], data.points[index]![1]);
    setOver({ path: pathOf(index), x, y });
  };
  return (
    <div class="map-box">
      <canvas ref={canvas} role="img" aria-label={T.map.label(data.points.length, data.groups.length)} onMouseMove={move} onMouseLeave={() => setOver(null)} onClick={(event) => nearest(event) >= 0 && go(noteAddress(pathOf(nearest(event))))} />
      {over ? <span class={over.x > size.width / 2 ? "map-tip left" : "map-tip"} style={{ left: `${over.x}px`, top: `${over.y}px` }}><Text>{over.path}</Text></span> : null}
    </div>
  );
}

function draw(element: HTMLCanvasElement, data: NoteMap, size: { width: number; height: number }, at: (x: number, y: number) => [number, number], chosen: number | null): void {
  const ratio = window.devicePixelRatio || 1;
  element.width = size.width * ratio;
  element.height = size.height * ratio;
  const pen = element.getContext("2d")!;
  const style = getComputedStyle(element);
  const dark = matchDark(style.getPropertyValue("background-color")); // "color-scheme" says which there may be
  pen.scale(ratio, ratio);
  const many = data.points.length;
  const dot = many > 20_000 ? 1 : many > 2_000 ? 2 : many > 300 ? 3 : 5;
  const full = many > 5_000 ? 0.5 : 0.85;
  for (const [x, y, , group] of data.points) {
    const [left, top] = at(x, y);
    pen.globalAlpha = chosen === null || chosen === group ? full : 0.12;
    pen.fillStyle = `oklch(${dark ? 0.76 : 0.56} 0.13 ${hueOf(group)})`;
    pen.beginPath();
    pen.arc(left, top, dot, 0, 2 * Math.PI);
    pen.fill();
  }
  if (many <= NAMED) {
    nameNotes(pen, data, at, style, chosen, size);
    return;
  }
  pen.font = style.font;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.lineJoin = "round";
  pen.lineWidth = 4;
  const taken: Box[] = [];
  data.groups.forEach((group, place) => {
    const [wanted, top] = at(group.x, group.y);
    const width = pen.measureText(group.label).width + 8;
    const middle = Math.max(width / 2, Math.min(size.width - width / 2, wanted));
    // A label that would cover another moves: both are to be read. Where there is no room at all, the list has it.
    const free = takePlace(placesAround(middle, top, width, LINE, data.groups.length), taken, size.width, size.height);
    if (!free) return;
    const [left, line] = [middle, (free.top + free.bottom) / 2];
    pen.globalAlpha = chosen === null || chosen === place ? 1 : 0.25;
    pen.strokeStyle = style.getPropertyValue("background-color");
    pen.strokeText(group.label, left, line);
    pen.fillStyle = style.getPropertyValue("color");
    pen.fillText(group.label, left, line);
  });
}

const LINE = 17; // pixels from a label to the one below it
const LONGEST = 24; // letters of a name in the picture; the list beside it has all of them

/** Few notes are named each; one that finds no room beside its point is named by the pointer and in the list. */
function nameNotes(pen: CanvasRenderingContext2D, data: NoteMap, at: (x: number, y: number) => [number, number], style: CSSStyleDeclaration, chosen: number | null, size: { width: number; height: number }): void {
  pen.font = style.font.replace(/^\S+/, "400").replace("13px", "12px");
  pen.textBaseline = "middle";
  pen.fillStyle = style.getPropertyValue("caret-color");
  pen.textAlign = "left";
  const taken = data.points.map(([x, y]): Box => {
    const [left, top] = at(x, y);
    return { left: left - 5, top: top - 5, right: left + 5, bottom: top + 5 };
  });
  for (const [x, y, note, group] of data.points) {
    const [left, top] = at(x, y);
    const whole = (data.notes[note] ?? "").replace(/^.*\/|\.md$/g, "");
    const name = whole.length > LONGEST ? `${whole.slice(0, LONGEST)}…` : whole;
    pen.globalAlpha = chosen === null || chosen === group ? 1 : 0.25;
    const free = takePlace(placesBeside(left, top, pen.measureText(name).width, LINE - 3, 10), taken, size.width, size.height);
    if (free) pen.fillText(name, free.left, (free.top + free.bottom) / 2);
  }
}

/** Whether a background is dark, by its lightness. */
function matchDark(colour: string): boolean {
  const [red = 255, green = 255, blue = 255] = (colour.match(/[\d.]+/g) ?? []).map(Number);
  return red + green + blue < 384;
}

/** The same for those who can't see it, or want to read: each group with its notes. */
function List({ data, chosen, choose }: { data: NoteMap; chosen: number | null; choose: (group: number | null) => void }): JSX.Element {
  const groups = useMemo(() => {
    const made = data.groups.map((): string[] => []);
    for (const [, , note, group] of data.points) made[group]?.push(data.notes[note] ?? "");
    return made;
  }, [data]);
  return (
    <section class="map-list" aria-label={T.map.list}>
      {data.groups.map((group, place) => (
        <details key={place} open={chosen === place} onToggle={(event) => (event.currentTarget.open ? choose(place) : chosen === place && choose(null))}>
          <summary><span class="dot" style={{ background: `oklch(0.65 0.13 ${hueOf(place)})` }} /><Text>{group.label}</Text> <span class="muted">{T.notes.count(group.count)}</span></summary>
          {chosen === place ? <Members paths={groups[place] ?? []} /> : null}
        </details>
      ))}
    </section>
  );
}

function Members({ paths }: { paths: string[] }): JSX.Element {
  const [shown, setShown] = useState(LISTED);
  return (
    <>
      <ul class="bare">{paths.slice(0, shown).map((path) => <li key={path}><NoteLink path={path} /></li>)}</ul>
      {paths.length > shown ? <button type="button" class="button quiet" onClick={() => setShown(shown + 200)}>{T.more(paths.length - shown)}</button> : null}
    </>
  );
}
