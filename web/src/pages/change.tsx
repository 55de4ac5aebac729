// One change: both texts beside each other, and the two ways back.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { ApiError, call } from "../api.ts";
import { keep, kept } from "../kept.ts";
import { onKinds, useLoad } from "../load.ts";
import { Busy, Button, Failure, Go, NoteLink, OriginBadge, Page, Text, When } from "../parts/basic.tsx";
import { DiffView } from "../parts/diff_view.tsx";
import { sayFailure, sayWritten } from "../parts/toast.tsx";
import { agentName } from "../store.ts";
import { T } from "../texts.ts";
import { toolName } from "./history.tsx";

export function ChangePage({ id }: { id: string }): JSX.Element {
  const [beside, setBeside] = useState(() => kept("diff.beside", false));
  const loaded = useLoad(async (signal) => {
    const change = await call("GET /checkpoints/{id}", { path: { id }, signal });
    const side = (which: "before" | "after") => call("GET /checkpoints/{id}/text", { path: { id }, query: { side: which }, signal });
    try {
      const [before, after] = await Promise.all([side("before"), side("after")]);
      return { change, before: before.text ?? "", after: after.text ?? "", dropped: "" };
    } catch (error) {
      if (error instanceof ApiError && error.status === 410) return { change, before: "", after: "", dropped: error.message };
      throw error;
    }
  }, [agentName.value, id], onKinds("write"));
  const { data } = loaded;
  const together = data?.change.group_ids ?? [];
  const act = async (what: "undo" | "restore"): Promise<void> => {
    try {
      const made = what === "undo" ? await call("POST /undo", { body: { checkpoint_ids: together.length ? together : [id], keep_later: true } }) : await call("POST /checkpoints/{id}/restore", { path: { id } });
      sayWritten(what === "undo" ? T.undone : T.history.restored(made.later ?? 0, made.outside ?? false), made.checkpointIds ?? [made.checkpointId]);
      loaded.reload();
    } catch (error) {
      sayFailure(error);
    }
  };
  const change = data?.change;
  const tool = change ? toolName(change.tool) : "";
  return (
    <Page title={change ? change.path : T.pages.history.name} wide actions={change ? (
      <>
        <Button onClick={() => (setBeside(!beside), keep("diff.beside", !beside))} aria-pressed={beside}>{T.history.beside}</Button>
        <Button icon="undo" disabled={change.undoable === false} title={change.undoable === false ? T.history.notCurrent : undefined} onClick={() => void act("undo")}>{together.length > 1 ? T.history.undoAll(together.length) : T.history.undoThis}</Button>
        <Button onClick={() => void act("restore")}>{T.history.restore}</Button>
      </>
    ) : null}>
      <p><Go to="/history">{T.history.all}</Go></p>
      <Failure text={loaded.error} again={loaded.reload} />
      <Busy when={loaded.busy && !data} />
      {change ? (
        <p class="meta">
          <OriginBadge origin={change.origin} /> <Text>{tool}</Text> <When at={change.createdAt} />
          {change.reason ? <span class="muted"><Text>{change.reason}</Text></span> : null}
          {change.exists ? <NoteLink path={change.path}>{T.history.openNote}</NoteLink> : null}
          <Go to={`/history?path=${encodeURIComponent(change.path)}`}>{T.note.itsHistory}</Go>
          <code class="muted">{change.id}</code>
        </p>
      ) : null}
      {together.length > 1 ? <p class="meta"><span class="muted">{T.history.together(together.length)}</span>{together.filter((one) => one !== id).slice(0, 20).map((one) => <Go key={one} to={`/history/${one}`}><code>{one}</code></Go>)}</p> : null}
      {change?.current === false ? <p class="muted">{change.undoable ? T.history.laterKept : T.history.notCurrent}</p> : null}
      {data?.dropped ? <Failure text={data.dropped} /> : data ? <DiffView before={data.before} after={data.after} beside={beside} names={[T.history.before, T.history.after]} /> : null}
    </Page>
  );
}
