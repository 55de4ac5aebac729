// One change: each of its notes with both texts, and the two ways back, which are of all its notes or none.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { ApiError, call } from "../api.ts";
import { keep, kept } from "../kept.ts";
import { onKinds, useLoad } from "../load.ts";
import { Busy, Button, Failure, Go, NoteLink, Page, Text, When } from "../parts/basic.tsx";
import { DiffView } from "../parts/diff_view.tsx";
import { sayFailure, sayWritten, undoChanges } from "../parts/toast.tsx";
import type { Checkpoint } from "../shapes.ts";
import { agentName } from "../store.ts";
import { T } from "../texts.ts";
import { whatOf, Who } from "./history.tsx";

const OPEN = 10; // notes whose texts are shown at once; of an import one opens those that one wants to see

export function ChangePage({ id }: { id: string }): JSX.Element {
  const [beside, setBeside] = useState(() => kept("diff.beside", false));
  const loaded = useLoad((signal) => call("GET /checkpoints/{id}", { path: { id }, signal }), [agentName.value, id], onKinds("write"));
  const change = loaded.data;
  const notes = change?.notes ?? [];
  const several = notes.length > 1;
  const act = async (what: "undo" | "restore", alone = ""): Promise<void> => {
    try {
      if (what === "undo") await undoChanges([id]);
      else {
        const made = await call("POST /checkpoints/{id}/restore", { path: { id: alone || id }, body: { alone: Boolean(alone) } });
        sayWritten(T.history.restored(made.later ?? 0, made.outside ?? false), made.checkpointIds ?? [made.checkpointId]);
      }
      loaded.reload();
    } catch (error) {
      sayFailure(error);
    }
  };
  return (
    <Page title={!change ? T.pages.history.name : several ? T.history.changeOf(notes.length) : change.path} wide actions={change ? (
      <>
        <Button onClick={() => (setBeside(!beside), keep("diff.beside", !beside))} aria-pressed={beside}>{T.history.beside}</Button>
        <Button icon="undo" disabled={change.undoable === false} title={change.because || undefined} onClick={() => void act("undo")}>{T.history.undoThis}</Button>
        <Button onClick={() => void act("restore")}>{T.history.restore}</Button>
      </>
    ) : null}>
      <p><Go to="/history">{T.history.all}</Go></p>
      <Failure text={loaded.error} again={loaded.reload} />
      <Busy when={loaded.busy && !change} />
      {change ? (
        <p class="meta">
          <Who change={change} /> <Text>{whatOf(change)}</Text> <When at={change.createdAt} />
          {change.reason ? <span class="muted"><Text>{change.reason}</Text></span> : null}
          {several ? null : <Links note={change} />}
        </p>
      ) : null}
      {several ? <p class="muted">{T.history.together(notes.length)}</p> : null}
      {change?.current === false ? <p class="muted">{change.undoable ? T.history.laterKept : <><Text>{change.because}</Text> {T.history.notCurrent}</>}</p> : null}
      {several ? notes.map((note, at) => <ChangedNote key={note.id} note={note} beside={beside} open={at < OPEN || note.id === id} restore={() => void act("restore", note.id)} />) : null}
      {change && !several ? <BothTexts id={change.id} beside={beside} /> : null}
    </Page>
  );
}

function Links({ note }: { note: Checkpoint }): JSX.Element {
  return (
    <>
      {note.exists ? <NoteLink path={note.path}>{T.history.openNote}</NoteLink> : null}
      <Go to={`/history?path=${encodeURIComponent(note.path)}`}>{T.note.itsHistory}</Go>
      <code class="muted">{note.id}</code>
    </>
  );
}

function ChangedNote({ note, beside, open, restore }: { note: Checkpoint; beside: boolean; open: boolean; restore: () => void }): JSX.Element {
  const [shown, setShown] = useState(open);
  return (
    <details class="changed-note" open={shown} onToggle={(event) => setShown(event.currentTarget.open)}>
      <summary><h2><Text>{note.path}</Text></h2></summary>
      <p class="meta"><Links note={note} /><Button kind="quiet" onClick={restore}>{T.history.restoreAlone}</Button></p>
      {shown ? <BothTexts id={note.id} beside={beside} /> : null}
    </details>
  );
}

/** A note before a change and after it; where its checkpoint was dropped, why there is nothing to see. */
function BothTexts({ id, beside }: { id: string; beside: boolean }): JSX.Element {
  const loaded = useLoad(async (signal) => {
    const side = async (which: "before" | "after"): Promise<string> => (await call("GET /checkpoints/{id}/text", { path: { id }, query: { side: which }, signal })).text ?? "";
    try {
      const [before, after] = await Promise.all([side("before"), side("after")]);
      return { before, after, dropped: "" };
    } catch (error) {
      if (error instanceof ApiError && error.status === 410) return { before: "", after: "", dropped: error.message };
      throw error;
    }
  }, [agentName.value, id]);
  const { data } = loaded;
  return (
    <>
      <Failure text={loaded.error || (data?.dropped ?? "")} again={loaded.error ? loaded.reload : undefined} />
      <Busy when={loaded.busy && !data} />
      {data && !data.dropped ? <DiffView before={data.before} after={data.after} beside={beside} names={[T.history.before, T.history.after]} /> : null}
    </>
  );
}
