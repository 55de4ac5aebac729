// What was changed, by whom and when; each change can be looked at and taken back.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { ApiError, call } from "../api.ts";
import { onKinds, useLoad, useMore } from "../load.ts";
import { Busy, Button, dayName, dayOf, Empty, Failure, Go, NoteLink, OriginBadge, Page, Text, When } from "../parts/basic.tsx";
import { FilterText } from "../parts/text_field.tsx";
import { say, sayFailure, undoChanges } from "../parts/toast.tsx";
import { go, place, restOf } from "../router.ts";
import type { Checkpoint } from "../shapes.ts";
import { agentName } from "../store.ts";
import { T } from "../texts.ts";
import { ChangePage } from "./change.tsx";
import { Purge } from "./purge.tsx";
import { TakeBack } from "./take_back.tsx";

const PAGE = 100;

export function History({ path }: { path: string }): JSX.Element {
  const id = restOf(path, "/history");
  return id ? <ChangePage id={id} key={id} /> : <Timeline />;
}

function Timeline(): JSX.Element {
  const { query } = place.value;
  const path = query.get("path") ?? undefined;
  const origin = query.get("origin") ?? undefined;
  const [taking, setTaking] = useState(false);
  const [purging, setPurging] = useState(false);
  const filter = { path, origin, full: true, undoable: true, limit: PAGE };
  const newest = useLoad((signal) => call("GET /history", { query: filter, signal }), [agentName.value, path, origin], onKinds("write"));
  const older = useMore(newest.data, newest.data?.next_before ?? null, async (before, signal) => {
    const found = await call("GET /history", { query: { ...filter, before }, signal });
    return { rows: found.checkpoints, next: found.next_before ?? null };
  });
  const changes = [...(newest.data?.checkpoints ?? []), ...older.rows];
  const set = (name: string, value: string): void => {
    const asked = new URLSearchParams(query);
    if (value) asked.set(name, value);
    else asked.delete(name);
    go(`/history?${asked}`, { replace: true });
  };
  return (
    <Page title={T.pages.history.name} lead={T.history.about} actions={<Button icon="undo" onClick={() => setTaking(!taking)} aria-expanded={taking}>{T.history.takeBack}</Button>}>
      {purging && path ? <Purge path={path} close={() => setPurging(false)} done={newest.reload} /> : null}
      {taking ? <TakeBack close={() => setTaking(false)} /> : null}
      <div class="filters" role="group" aria-label={T.search.filters}>
        <label class={path ? "filter-chip on" : "filter-chip"}><span>{T.history.note}</span><FilterText value={path ?? ""} set={(text) => set("path", text)} /></label>
        <label class={origin ? "filter-chip on" : "filter-chip"}><span>{T.history.who}</span>
          <select value={origin ?? ""} onChange={(event) => set("origin", event.currentTarget.value)}>
            <option value="">{T.search.any}</option>
            {Object.entries(T.origins).map(([name, text]) => <option key={name} value={name}>{text.name}</option>)}
          </select>
        </label>
        {path && changes.length ? <Button kind="quiet" onClick={() => setPurging(true)}>{T.purge.open}</Button> : null}
      </div>
      <Failure text={newest.error} again={newest.reload} />
      <Busy when={newest.busy && !newest.data} />
      {newest.data && !changes.length ? <Empty title={path || origin ? T.history.noneHere : T.history.none}><p>{T.history.noneAbout}</p></Empty> : null}
      <ChangeList changes={changes} />
      <Failure text={older.error} />
      {older.next !== null ? <p><Button onClick={older.load}>{T.history.older}</Button></p> : null}
    </Page>
  );
}

/** What was done, in a word. */
export function whatOf({ tool, reason }: Checkpoint): string {
  const decision = tool === "inbox" ? T.history.decided[reason.split(" ")[0] as keyof typeof T.history.decided] : undefined;
  return decision ?? T.history.tools[tool as keyof typeof T.history.tools] ?? tool.replaceAll("_", " ");
}

const EDITED = /^approve \S+, edited words of (\w+)$/; // as operations/inbox_approve.py gives the reason

/** Who made a change, and whose words it brought or edited: who approves acts, and the words stay the proposer's. */
export function Who({ change: { origin, author, reason } }: { change: Checkpoint }): JSX.Element {
  const edited = EDITED.exec(reason)?.[1];
  const whose = author || edited;
  return <><OriginBadge origin={origin} />{whose ? <span class="author muted"> {edited ? T.history.editedWordsOf : T.history.wordsOf} <OriginBadge origin={whose} /></span> : null}</>;
}

interface Grouped { first: Checkpoint; all: Checkpoint[] }

/** Changes that were made together are one row. */
export function groupsOf(changes: Checkpoint[]): Grouped[] {
  const made: Grouped[] = [];
  const known = new Map<string, Grouped>();
  for (const change of changes) {
    const group = change.group ? known.get(change.group) : undefined;
    if (group) group.all.push(change);
    else {
      const fresh = { first: change, all: [change] };
      made.push(fresh);
      if (change.group) known.set(change.group, fresh);
    }
  }
  return made;
}

export function ChangeList({ changes, oneDay = false }: { changes: Checkpoint[]; oneDay?: boolean }): JSX.Element {
  const undone = new Set(changes.map((change) => change.undoes));
  const days = new Map<string, Grouped[]>();
  for (const group of groupsOf(changes)) {
    const day = dayOf(group.first.createdAt);
    days.set(day, [...(days.get(day) ?? []), group]);
  }
  return (
    <>
      {[...days].map(([day, groups]) => (
        <section key={day} aria-label={dayName(day)}>
          {oneDay ? null : <h2 class="day">{dayName(day)}</h2>}
          <table class="rows changes by-day">
            <colgroup>{[1, 2, 3, 4, 5].map((column) => <col key={column} />)}</colgroup>
            <thead class="visually-hidden"><tr><th scope="col">{T.history.when}</th><th scope="col">{T.history.who}</th><th scope="col">{T.history.what}</th><th scope="col">{T.history.note}</th><th scope="col">{T.undo}</th></tr></thead>
            <tbody>{groups.map((group) => <ChangeRow key={group.first.id} group={group} undone={group.all.every((change) => undone.has(change.id))} />)}</tbody>
          </table>
        </section>
      ))}
    </>
  );
}

/** Take a change out of its note and keep what came later; where that stands in the way, its page has the other way back. */
async function takeOut(ids: string[]): Promise<void> {
  try {
    await undoChanges(ids);
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 409)) return sayFailure(error);
    go(`/history/${ids[0]}`);
    say(T.history.inTheWay);
  }
}

function ChangeRow({ group: { first, all }, undone }: { group: Grouped; undone: boolean }): JSX.Element {
  const notes = [...new Set(all.map((change) => change.path))];
  const what = first.undoes ? T.history.undid : whatOf(first);
  const state = !first.existed ? T.history.made : !first.exists ? T.history.deleted : "";
  return (
    <tr>
      <td class="muted when"><When at={first.createdAt} /></td>
      <td><Who change={first} /></td>
      <td class="word"><Go to={`/history/${first.id}`}><Text>{what}</Text></Go>{state ? <span class="muted"> · {state}</span> : null}</td>
      <td class="change-note">{notes.length > 1 ? <details><summary>{T.history.notes(notes.length)}</summary><ul class="bare">{notes.map((path) => <li key={path}><NoteLink path={path} /></li>)}</ul></details> : first.exists ? <NoteLink path={first.path} /> : <s><Text>{first.path}</Text></s>}</td>
      <td class="align-right">{undone ? null : <Button kind="quiet" icon="undo" disabled={first.undoable === false} title={first.because || undefined} aria-label={T.history.undoOf(what, notes[0]!)} onClick={() => void takeOut(all.map((change) => change.id))}>{T.undo}</Button>}</td>
    </tr>
  );
}
