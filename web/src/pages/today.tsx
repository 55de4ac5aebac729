// The start page: what changed since the last visit, what waits, how memory is.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { call } from "../api.ts";
import { keep, kept } from "../kept.ts";
import { onKinds, useLoad } from "../load.ts";
import { Busy, Button, dayOf, Empty, Failure, Go, Meter, NoteLink, OriginBadge, Page, Text, When } from "../parts/basic.tsx";
import { agentName, waiting } from "../store.ts";
import type { Checkpoint, Days } from "../shapes.ts";
import { T } from "../texts.ts";
import { whatOf } from "./history.tsx";

interface Visit { seq: number; at: number }
const SHOWN = 8; // notes of one origin
const WEEK = 7;
const NEW_VISIT = 30 * 60_000; // milliseconds away from the page after which it is another visit

/** The visit before this one; a reload within half an hour belongs to this one. */
function useLastVisit(newest: number | undefined): Visit | null {
  const name = `visit.${agentName.value}`;
  const [before] = useState(() => {
    const visits = kept<{ last: Visit | null; now: Visit | null }>(name, { last: null, now: null });
    const fresh = !visits.now || Date.now() - visits.now.at > NEW_VISIT;
    return fresh ? visits.now : visits.last;
  });
  useEffect(() => {
    if (newest !== undefined) keep(name, { last: before, now: { seq: newest, at: Date.now() } });
  }, [newest]);
  return before;
}

export function Today(): JSX.Element {
  const agent = agentName.value;
  const history = useLoad((signal) => call("GET /history", { query: { limit: 200, full: true }, signal }), [agent], onKinds("write"));
  const status = useLoad((signal) => call("GET /status", { signal }), [agent], onKinds("sync", "settings"));
  const since = dayOf(new Date(Date.now() - (WEEK - 1) * 86_400_000).toISOString());
  const days = useLoad((signal) => call("GET /history/days", { query: { since }, signal }), [agent, since], onKinds("write"));
  const dream = useLoad((signal) => call("GET /dreams/reports", { query: { limit: 1 }, signal }).catch(() => null), [agent], onKinds("dream"));
  const report = dream.data?.reports[0];
  const changes = history.data?.checkpoints ?? [];
  const visit = useLastVisit(history.data ? (changes[0]?.seq ?? 0) : undefined);
  const fresh = changes.filter((change) => !visit || change.seq > visit.seq);
  // Notes that somebody put there by hand have no history yet.
  if (history.data && !changes.length && status.data?.notes_on_disk === 0) return <First />;
  return (
    <Page title={T.pages.today.name}>
      <Failure text={history.error} again={history.reload} />
      <Busy when={history.busy && !history.data} />
      {waiting.value ? <p class="notice info"><Go to="/inbox">{T.today.waits(waiting.value)}</Go></p> : null}
      {history.data ? (
        <section aria-labelledby="since">
          <h2 id="since">{visit ? T.today.since : T.today.lately} {visit ? <span class="muted"><When at={visit.at / 1000} /></span> : null}</h2>
          {fresh.length ? <ByOrigin changes={fresh} /> : <p class="muted">{T.today.nothing} <Go to="/history">{T.today.seeHistory}</Go></p>}
        </section>
      ) : null}
      {days.data ? <Week days={days.data} since={since} /> : null}
      {status.data ? (
        <section aria-labelledby="how">
          <h2 id="how">{T.today.how}</h2>
          <table class="facts-table">
            <tbody>
              <tr><th scope="row">{T.status.notes}</th><td>{T.status.notesOf(status.data.notes_on_disk, status.data.chunks)}</td></tr>
              <tr><th scope="row">{T.status.index}</th><td>{status.data.index.up_to_date ? T.status.upToDate : T.status.behind}{status.data.because ? <> · <Text>{status.data.because}</Text></> : null}</td></tr>
              <tr><th scope="row">{T.status.search}</th><td>{T.status.modes[status.data.mode as keyof typeof T.status.modes] ?? status.data.mode}{status.data.model ? <> · <Text>{`${status.data.provider} / ${status.data.model}`}</Text></> : null}</td></tr>
              <tr><th scope="row">{T.status.leaves}</th><td>{status.data.sends_to ? <strong><Text>{T.status.sendsTo(status.data.sends_to)}</Text></strong> : T.status.nothingLeaves}</td></tr>
              <tr><th scope="row">{T.today.dream}</th><td>{report ? <><NoteLink path={report.path} /> <span class="muted"><When at={report.modified} /></span></> : T.dreams.none}</td></tr>
            </tbody>
          </table>
          <p><Go to="/status">{T.today.seeStatus}</Go></p>
        </section>
      ) : null}
    </Page>
  );
}

function ByOrigin({ changes }: { changes: Checkpoint[] }): JSX.Element {
  const groups = new Map<string, Map<string, Checkpoint[]>>();
  for (const change of changes) {
    const notes = groups.get(change.origin) ?? new Map<string, Checkpoint[]>();
    groups.set(change.origin, notes);
    notes.set(change.path, [...(notes.get(change.path) ?? []), change]);
  }
  return (
    <table class="rows changes">
      <thead class="visually-hidden"><tr><th scope="col">{T.history.who}</th><th scope="col">{T.history.note}</th><th scope="col">{T.history.what}</th><th scope="col">{T.history.when}</th></tr></thead>
      <tbody>
        {[...groups].flatMap(([origin, notes]) => {
          const rows = [...notes].slice(0, SHOWN).map(([path, of], at) => (
            <tr key={origin + path} class={at === 0 ? "group-start" : undefined}>
              <td>{at === 0 ? <OriginBadge origin={origin} /> : null}</td>
              <td class="change-note">{of[0]!.exists ? <NoteLink path={path} /> : <s><Text>{path}</Text></s>}</td>
              <td class="word"><Go to={`/history/${of[0]!.id}`}>{of.length > 1 ? T.history.changes(of.length) : whatOf(of[0]!)}</Go></td>
              <td class="muted when"><When at={of[0]!.createdAt} /></td>
            </tr>
          ));
          const more = notes.size - SHOWN;
          if (more > 0) rows.push(<tr key={`${origin}-more`}><td /><td colSpan={3}><Go to={`/history?origin=${origin}`}>{T.more(more)}</Go></td></tr>);
          return rows;
        })}
      </tbody>
    </table>
  );
}

function Week({ days, since }: { days: Days; since: string }): JSX.Element {
  const found = new Map(days.days.map((day) => [day.day, day.changes]));
  const most = Math.max(1, ...found.values());
  const start = new Date(`${since}T12:00:00`).getTime();
  const all = Array.from({ length: WEEK }, (_, at) => dayOf(new Date(start + at * 86_400_000).toISOString()));
  return (
    <section aria-labelledby="week">
      <h2 id="week">{T.today.week}</h2>
      <ol class="week">
        {all.map((day) => {
          const count = found.get(day) ?? 0;
          const name = new Date(`${day}T12:00:00`).toLocaleDateString(undefined, { weekday: "short", day: "numeric" });
          return <li key={day}><Go to={`/days/${day}`}><span class="week-day">{name}</span><Meter value={count / most} label={T.history.changes(count)} /><span class="week-count">{count}</span></Go></li>;
        })}
      </ol>
    </section>
  );
}

/** An empty home: three ways to begin. */
function First(): JSX.Element {
  return (
    <Page title={T.today.welcome} lead={T.today.welcomeAbout}>
      <ol class="first">
        <li><h2>{T.today.first.save}</h2><p>{T.today.first.saveAbout}</p><p><Go to="/notes?new=1" class="button main">{T.notes.make}</Go></p></li>
        <li><h2>{T.today.first.connect}</h2><p>{T.today.first.connectAbout}</p><Command text="holdfast connect claude-code" /></li>
        <li><h2>{T.today.first.bring}</h2><p>{T.today.first.bringAbout}</p><p><Go to="/exchange">{T.pages.exchange.name}</Go></p></li>
      </ol>
      <Empty title="" />
    </Page>
  );
}

export function Command({ text }: { text: string }): JSX.Element {
  const [copied, setCopied] = useState(false);
  return <p class="command"><code>{text}</code><Button icon="copy" onClick={() => void navigator.clipboard?.writeText(text).then(() => setCopied(true))}>{copied ? T.copied : T.copy}</Button></p>;
}
