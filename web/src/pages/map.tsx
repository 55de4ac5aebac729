// The map: where notes lie by meaning, computed by the server and drawn once; beside it the same as a list.
import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { addressOf, send } from "../api.ts";
import { useLoad } from "../load.ts";
import { Busy, Empty, Failure, NoteLink, Page, Text, When } from "../parts/basic.tsx";
import { agent, go, noteAddress } from "../router.ts";
import { agentName } from "../store.ts";
import { T } from "../texts.ts";

interface Cluster { x: number; y: number; label: string; count: number }
interface MapAnswer { points: Array<[number, number, number]>; notes: string[]; clusters: Cluster[]; made: string }

const NEAR = 12; // pixels around the pointer in which a point is meant
const MARGIN = 14;

export function MapPage(): JSX.Element {
  const loaded = useLoad(async (signal) => (await (await send("GET", addressOf("/map", {}, { agent: agent.value }), { signal })).json()) as MapAnswer, [agentName.value]);
  const data = loaded.data;
  return (
    <Page title={T.pages.map.name} wide lead={T.map.about}>
      <Failure text={loaded.error} again={loaded.reload} />
      <Busy when={loaded.busy && !data} />
      {data && !data.points.length ? <Empty title={T.map.none}><p>{T.map.noneAbout}</p></Empty> : null}
      {data?.points.length ? <div class="map"><Drawn data={data} /><List data={data} /></div> : null}
    </Page>
  );
}

function Drawn({ data }: { data: MapAnswer }): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [size, setSize] = useState({ width: 700, height: 520 });
  const [over, setOver] = useState<{ path: string; x: number; y: number } | null>(null);
  const at = (x: number, y: number): [number, number] => [MARGIN + x * (size.width - 2 * MARGIN), MARGIN + y * (size.height - 2 * MARGIN)];
  const grid = useMemo(() => {
    const cells = new Map<string, number[]>();
    data.points.forEach(([x, y], index) => {
      const [left, top] = at(x, y);
      const key = `${Math.floor(left / NEAR)} ${Math.floor(top / NEAR)}`;
      const cell = cells.get(key);
      if (cell) cell.push(index);
      else cells.set(key, [index]);
    });
    return cells;
  }, [data, size]);
  useEffect(() => {
    const element = canvas.current!;
    const measure = new ResizeObserver(() => setSize({ width: element.clientWidth, height: element.clientHeight }));
    measure.observe(element);
    return () => measure.disconnect();
  }, []);
  useEffect(() => {
    const element = canvas.current!;
    const ratio = window.devicePixelRatio || 1;
    element.width = size.width * ratio;
    element.height = size.height * ratio;
    const pen = element.getContext("2d")!;
    const style = getComputedStyle(element);
    pen.scale(ratio, ratio);
    pen.clearRect(0, 0, size.width, size.height);
    pen.globalAlpha = data.points.length > 5000 ? 0.35 : 0.6;
    pen.fillStyle = style.getPropertyValue("color");
    const dot = data.points.length > 20_000 ? 1.5 : 3;
    for (const [x, y] of data.points) {
      const [left, top] = at(x, y);
      pen.fillRect(left - dot / 2, top - dot / 2, dot, dot);
    }
    pen.globalAlpha = 1;
    pen.font = style.font;
    pen.textAlign = "center";
    pen.fillStyle = style.getPropertyValue("caret-color");
    for (const cluster of data.clusters) pen.fillText(cluster.label, ...at(cluster.x, cluster.y));
  }, [data, size]);
  const nearest = (event: MouseEvent): number => {
    const box = canvas.current!.getBoundingClientRect();
    const [left, top] = [event.clientX - box.left, event.clientY - box.top];
    let found = -1;
    let best = NEAR * NEAR;
    for (let column = -1; column <= 1; column++) {
      for (let row = -1; row <= 1; row++) {
        for (const index of grid.get(`${Math.floor(left / NEAR) + column} ${Math.floor(top / NEAR) + row}`) ?? []) {
          const [x, y] = at(data.points[index]![0], data.points[index]![1]);
          const distance = (x - left) ** 2 + (y - top) ** 2;
          if (distance < best) [best, found] = [distance, index];
        }
      }
    }
    return found;
  };
  const pathOf = (index: number): string => data.notes[data.points[index]![2]] ?? "";
  const move = (event: MouseEvent): void => {
    const index = nearest(event);
    const box = canvas.current!.getBoundingClientRect();
    setOver(index < 0 ? null : { path: pathOf(index), x: event.clientX - box.left, y: event.clientY - box.top });
  };
  return (
    <div class="map-box">
      <canvas ref={canvas} role="img" aria-label={T.map.label(data.points.length, data.clusters.length)} onMouseMove={move} onMouseLeave={() => setOver(null)} onClick={(event) => nearest(event) >= 0 && go(noteAddress(pathOf(nearest(event))))} />
      {over ? <span class="map-tip" style={{ left: `${over.x}px`, top: `${over.y}px` }}><Text>{over.path}</Text></span> : null}
      <p class="muted">{T.map.made} <When at={data.made} /></p>
    </div>
  );
}

/** The same for those who can't see it, or want to read: each cluster with its notes. */
function List({ data }: { data: MapAnswer }): JSX.Element {
  const groups = useMemo(() => {
    const made = data.clusters.map((cluster) => ({ cluster, notes: new Set<string>() }));
    for (const [x, y, note] of data.points) {
      const nearest = made.reduce<{ best: number; group: (typeof made)[number] | null }>((held, group) => {
        const distance = (group.cluster.x - x) ** 2 + (group.cluster.y - y) ** 2;
        return distance < held.best ? { best: distance, group } : held;
      }, { best: Infinity, group: null });
      if (nearest.group && nearest.group.notes.size < 30) nearest.group.notes.add(data.notes[note] ?? "");
    }
    return made;
  }, [data]);
  return (
    <section class="map-list" aria-label={T.map.list}>
      {groups.map(({ cluster, notes }) => <details key={cluster.label}><summary><Text>{cluster.label}</Text> <span class="muted">{T.notes.count(cluster.count)}</span></summary><ul class="bare">{[...notes].map((path) => <li key={path}><NoteLink path={path} /></li>)}</ul></details>)}
    </section>
  );
}
