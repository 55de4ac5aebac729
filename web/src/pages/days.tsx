// The calendar: a year at a glance, and one day with its note, its changes and its conversations.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { ApiError, call } from "../api.ts";
import { shortcut } from "../keys.ts";
import { onKinds, useLoad } from "../load.ts";
import { parseMarkdown } from "../markdown/parse.ts";
import { Markdown } from "../markdown/render.tsx";
import { Busy, Button, dayName, dayOf, Failure, Go, Page, Text } from "../parts/basic.tsx";
import { go, noteAddress, restOf } from "../router.ts";
import { agentName, paths } from "../store.ts";
import { T } from "../texts.ts";
import { ChangeList } from "./history.tsx";

const DAY = 86_400_000;
const CELL = 13; // pixels of a day in the map
const MONTHS = 16; // pixels above the days, for the names of months

const noonOf = (day: string): Date => new Date(`${day}T12:00:00`);
const plus = (day: string, days: number): string => dayOf(new Date(noonOf(day).getTime() + days * DAY).toISOString());

export function Days({ path }: { path: string }): JSX.Element {
  const asked = restOf(path, "/days");
  const day = /^\d{4}-\d\d-\d\d$/.test(asked) ? asked : dayOf(null);
  useEffect(() => {
    const off = [
      shortcut("[", T.days.before, T.keys.here, () => go(`/days/${plus(day, -1)}`)),
      shortcut("]", T.days.after, T.keys.here, () => go(`/days/${plus(day, 1)}`)),
    ];
    return () => off.forEach((one) => one());
  }, [day]);
  return (
    <Page title={T.days.title(dayName(day))} actions={<><Button aria-label={T.days.before} onClick={() => go(`/days/${plus(day, -1)}`)}>‹</Button><input type="date" aria-label={T.days.choose} value={day} onChange={(event) => event.currentTarget.value && go(`/days/${event.currentTarget.value}`)} /><Button aria-label={T.days.after} onClick={() => go(`/days/${plus(day, 1)}`)}>›</Button></>}>
      <Year day={day} />
      <Day day={day} key={day} />
    </Page>
  );
}

function Day({ day }: { day: string }): JSX.Element {
  const agent = agentName.value;
  const path = `memory/${day}.md`;
  const note = useLoad((signal) => call("GET /notes/{path}", { path: { path }, query: { whole: true }, signal }).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }), [agent, day], (event) => event.kind === "write" && event.path === path);
  const changes = useLoad((signal) => call("GET /history", { query: { since: day, until: day, limit: 200, full: true, undoable: true }, signal }), [agent, day], onKinds("write"));
  const here = changes.data?.checkpoints.filter((change) => dayOf(change.createdAt) === day) ?? [];
  return (
    <>
      <section aria-labelledby="daily">
        <h2 id="daily">{T.days.note}</h2>
        <Failure text={note.error} again={note.reload} />
        <Busy when={note.busy && !note.data} />
        {note.data ? <><Markdown blocks={parseMarkdown(note.data.text)} reading={{ base: path, paths: paths.value, runs: [], marked: null }} /><p><Go to={noteAddress(path)}><Text>{path}</Text></Go></p></> : note.busy ? null : <p class="muted">{T.days.noNote} <Go to={`${noteAddress(path)}?edit=1`}>{T.note.write}</Go></p>}
      </section>
      <section aria-labelledby="changes">
        <h2 id="changes">{T.days.changes}</h2>
        <Failure text={changes.error} again={changes.reload} />
        {here.length ? <ChangeList changes={here} oneDay /> : changes.data ? <p class="muted">{T.today.nothing}</p> : null}
      </section>
    </>
  );
}

/** The year as a heat map: a column a week. Each day is a link; the numbers are in its title. */
function Year({ day }: { day: string }): JSX.Element {
  const [until, setUntil] = useState(dayOf(null));
  const since = plus(until, -364);
  const found = useLoad((signal) => call("GET /history/days", { query: { since, until }, signal }), [agentName.value, since], onKinds("write"));
  const counts = new Map((found.data?.days ?? []).map((one) => [one.day, one.changes]));
  const most = Math.max(1, ...counts.values());
  const first = (noonOf(since).getDay() + 6) % 7; // Monday is the first row
  const days = Array.from({ length: 365 }, (_, at) => plus(since, at));
  const level = (count: number): number => (count ? Math.min(4, 1 + Math.floor((3.99 * Math.log1p(count)) / Math.log1p(most))) : 0);
  const weeks = Math.ceil((365 + first) / 7);
  const months = days.flatMap((one, at) => (one.endsWith("-01") ? [{ at: Math.floor((at + first) / 7), name: noonOf(one).toLocaleDateString(undefined, { month: "short" }) }] : []));
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (box.current) box.current.scrollLeft = box.current.scrollWidth; // what is newest is to be seen
  }, [since]);
  return (
    <section aria-labelledby="year">
      <h2 id="year">{T.days.year} <Button kind="quiet" onClick={() => setUntil(plus(until, -365))}>{T.days.yearBefore}</Button>{until !== dayOf(null) ? <Button kind="quiet" onClick={() => setUntil(dayOf(null))}>{T.time.today}</Button> : null}</h2>
      <div ref={box} class="year-box" tabIndex={0} role="group" aria-label={T.days.yearOf(since, until)}>
        <svg class="year" width={weeks * CELL} height={7 * CELL + MONTHS} role="img" aria-label={T.days.yearSum(counts.size)}>
          {months.map((month) => <text key={month.at} x={month.at * CELL} y={MONTHS - 5} class="month">{month.name}</text>)}
          {days.map((one, at) => {
            const place = at + first;
            const count = counts.get(one) ?? 0;
            return <rect key={one} x={Math.floor(place / 7) * CELL} y={MONTHS + (place % 7) * CELL} width={CELL - 2} height={CELL - 2} rx={2} class={`heat-${level(count)}${one === day ? " heat-here" : ""}`} onClick={() => go(`/days/${one}`)}><title>{T.days.dayCount(one, count)}</title></rect>;
          })}
        </svg>
      </div>
    </section>
  );
}
