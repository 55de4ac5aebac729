// One note: read, with whose line it is; or edited.
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { ApiError, call, request } from "../api.ts";
import { type Happening, listen } from "../events.ts";
import { draftOf, keep, kept } from "../kept.ts";
import { shortcut } from "../keys.ts";
import { useLoad } from "../load.ts";
import { parseMarkdown } from "../markdown/parse.ts";
import { Busy, Button, Failure, Go, Notice, Text, useTitle } from "../parts/basic.tsx";
import { sayFailure, sayWritten, undoChanges } from "../parts/toast.tsx";
import { go, noteAddress, place } from "../router.ts";
import { agentName } from "../store.ts";
import { T } from "../texts.ts";
import { NoteEditor } from "./note_editor.tsx";
import { NoteAside, RenameNote } from "./note_aside.tsx";
import { lineIn, lineInSight, NoteText } from "./note_text.tsx";

interface Change { origin: string; checkpoint: string | null; at: number }

export function Note({ path }: { path: string }): JSX.Element {
  const agent = agentName.value;
  const editing = place.value.query.has("edit");
  const isThis = (event: Happening): boolean => event.kind === "write" && event.path === path;
  const note = useLoad(async (signal) => {
    try {
      return await request("GET /notes/{path}", { path: { path }, query: { whole: true }, signal });
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return null;
      throw error;
    }
  }, [agent, path], (event) => !editing && isThis(event));
  const origins = useLoad((signal) => call("GET /notes/{path}/origins", { path: { path }, signal }).catch(() => ({ runs: [] })), [agent, path, note.data?.etag], isThis);
  const [shows, setShows] = useState(() => kept("origins", true));
  const [changed, setChanged] = useState<Change | null>(null);
  const [renaming, setRenaming] = useState(false);
  const [loadedOnce, setLoadedOnce] = useState(false);
  useTitle(path);
  useEffect(() => setLoadedOnce((before) => before || Boolean(note.data)), [note.data]);
  useEffect(() => listen((event) => {
    if (isThis(event) && (!event.agent || event.agent === agent) && event.origin !== "user")
      setChanged({ origin: String(event.origin), checkpoint: (event.checkpointId as string | null) ?? null, at: Date.now() });
  }), [path, agent]);
  const edit = (): void => go(`${noteAddress(path)}?edit=1${lineInSight()}`);
  useEffect(() => (editing ? undefined : shortcut("e", T.note.edit, T.keys.here, edit)), [editing, path]);
  const data = note.data?.data ?? null;
  const blocks = useMemo(() => (data ? parseMarkdown(data.text) : []), [data?.text]);

  if (note.error && !data) return <div class="page"><BackToAll /><h1 tabIndex={-1}><Text>{path}</Text></h1><Failure text={note.error} again={note.reload} /></div>;
  if (!note.data && note.busy) return <div class="page"><Busy when /></div>;
  const draft = draftOf(agent, path);
  if (!data && !editing) return <NoSuchNote path={path} gone={loadedOnce} hasDraft={Boolean(draft)} />;
  const text = data?.text ?? "";
  const remove = async (): Promise<void> => {
    try {
      const made = await call("DELETE /notes/{path}", { path: { path }, headers: { "If-Match": note.data!.etag } });
      go("/notes");
      sayWritten(T.note.deleted(path), [made.checkpointId]);
    } catch (error) {
      sayFailure(error);
    }
  };
  const done = (): void => {
    go(noteAddress(path) + place.value.hash, { replace: true });
    note.reload();
  };
  return (
    <article class="note">
      <header class="page-head">
        <BackToAll />
        <h1 tabIndex={-1}><Text>{path}</Text></h1>
        {editing ? null : (
          <div class="actions">
            <label class="switch-line"><input type="checkbox" checked={shows} onChange={(event) => (setShows(event.currentTarget.checked), keep("origins", event.currentTarget.checked))} />{T.note.whose}</label>
            <Button icon="edit" onClick={edit} disabled={data?.writable === false} title={data?.because || undefined}>{T.note.edit}</Button>
            <Button kind="quiet" onClick={() => setRenaming(true)}>{T.note.rename}</Button>
            <Button kind="quiet" icon="forget" onClick={() => void remove()}>{T.note.remove}</Button>
          </div>
        )}
      </header>
      {changed && !editing ? (
        <Notice>
          <p>{T.note.changedBy(T.origins[changed.origin as keyof typeof T.origins]?.name ?? changed.origin)} {changed.checkpoint ? <Go to={`/history/${changed.checkpoint}`}>{T.note.whatChanged}</Go> : null}</p>
          {changed.checkpoint ? <Button kind="quiet" icon="undo" onClick={() => void undo(changed.checkpoint!).then(() => setChanged(null))}>{T.undo}</Button> : null}
        </Notice>
      ) : null}
      {!editing && draft && draft.text !== text ? <Notice kind="warn"><p>{T.note.hasDraft}</p><Button onClick={edit}>{T.note.openDraft}</Button></Notice> : null}
      {data?.because && data.writable === false ? <p class="muted"><Text>{data.because}</Text></p> : null}
      {editing ? (
        <NoteEditor key={path} path={path} text={text} etag={note.data?.etag ?? ""} exists={Boolean(data)} line={lineIn(place.value.hash)} done={done} />
      ) : (
        <div class="note-body">
          {text.trim() ? <NoteText path={path} blocks={blocks} runs={shows ? (origins.data?.runs ?? []) : []} /> : <p class="muted">{T.note.empty}</p>}
          {data ? <NoteAside note={data} blocks={blocks} /> : null}
        </div>
      )}
      {renaming && note.data ? <RenameNote path={path} etag={note.data.etag} close={() => setRenaming(false)} /> : null}
    </article>
  );
}

async function undo(checkpoint: string): Promise<void> {
  try {
    await undoChanges([checkpoint]);
  } catch (error) {
    sayFailure(error);
  }
}

/** On a narrow screen a note takes the place of the tree. */
function BackToAll(): JSX.Element {
  return <Go to="/notes" class="back">{T.note.all}</Go>;
}

function NoSuchNote({ path, gone, hasDraft }: { path: string; gone: boolean; hasDraft: boolean }): JSX.Element {
  const isDay = /^memory\/\d{4}-\d\d-\d\d\.md$/.test(path) || path === "MEMORY.md";
  return (
    <div class="page">
      <BackToAll />
      <h1 tabIndex={-1}><Text>{path}</Text></h1>
      <div class="empty">
        <p class="empty-title">{gone ? T.note.goneMeanwhile : isDay ? T.note.notYet : T.note.none}</p>
        <p>{gone ? T.note.goneAbout : T.note.noneAbout}</p>
        <p class="actions">
          <Go to={`${noteAddress(path)}?edit=1`} class="button main">{hasDraft ? T.note.openDraft : T.note.write}</Go>
          <Go to={`/history?path=${encodeURIComponent(path)}`}>{T.note.itsHistory}</Go>
        </p>
      </div>
    </div>
  );
}
