// What waits for the owner's yes: approve, change and approve, or reject; one or several at once.
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { call, sentenceOf } from "../api.ts";
import { shortcut } from "../keys.ts";
import { onKinds, useLoad } from "../load.ts";
import { Busy, Button, Empty, Failure, NoteLink, OriginBadge, Page, Text, useFocus, When } from "../parts/basic.tsx";
import { say, sayWritten, takeBack } from "../parts/toast.tsx";
import type { InboxEntry } from "../shapes.ts";
import { agentName, setWaiting } from "../store.ts";
import { T } from "../texts.ts";

type Decision = "approve" | "reject";

export function Inbox(): JSX.Element {
  const loaded = useLoad((signal) => call("GET /inbox", { signal }), [agentName.value], onKinds("write", "dream", "inbox"));
  const entries = loaded.data?.entries ?? [];
  const [at, setAt] = useState(0);
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const [editing, setEditing] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const here = Math.min(at, Math.max(0, entries.length - 1));
  const current = entries[here];
  useEffect(() => {
    if (loaded.data) setWaiting(entries.length);
  }, [loaded.data]);

  const decide = async (which: InboxEntry[], decision: Decision, text?: string): Promise<void> => {
    if (busy || !which.length) return;
    setBusy(true);
    const ids: string[] = [];
    const proposals: string[] = []; // rejected, and nothing was written: they are asked to wait again
    let failure: unknown = null;
    for (const entry of which) {
      try {
        const path = { id: entry.id };
        const made = decision === "approve" ? await call("POST /inbox/{id}/approve", { path, body: text === undefined ? undefined : { text } }) : await call("POST /inbox/{id}/reject", { path });
        if (made.checkpointIds.length) ids.unshift(...made.checkpointIds);
        else proposals.push(entry.id);
      } catch (error) {
        failure = error;
      }
    }
    setBusy(false);
    setEditing(null);
    setTicked(new Set());
    loaded.reload();
    const done = decision === "approve" ? T.inbox.approved(which.length) : T.inbox.rejected(which.length);
    const undo = async (): Promise<void> => {
      if (ids.length) await takeBack(ids);
      for (const id of proposals) await call("POST /inbox/{id}/again", { path: { id } });
      loaded.reload();
      say(T.undone);
    };
    // What was done can be undone also where something else failed.
    if (failure) say(sentenceOf(failure), { bad: true, undo: ids.length + proposals.length ? undo : undefined });
    else if (proposals.length) say(done, { undo });
    else sayWritten(done, ids);
  };
  const chosen = ticked.size ? entries.filter((entry) => ticked.has(entry.id)) : current ? [current] : [];
  const tick = (id: string): void => {
    const next = new Set(ticked);
    if (!next.delete(id)) next.add(id);
    setTicked(next);
  };
  const move = (to: number): void => {
    const next = Math.max(0, Math.min(entries.length - 1, to));
    setAt(next);
    document.getElementById(`waits-${next}`)?.scrollIntoView({ block: "nearest" });
  };
  // Before the next key comes: it means what is on the screen.
  useLayoutEffect(() => {
    const group = T.keys.here;
    const off = [
      shortcut("j", T.keys.next, group, () => move(here + 1)),
      shortcut("k", T.keys.previous, group, () => move(here - 1)),
      shortcut("a", T.inbox.approve, group, () => void decide(chosen, "approve")),
      shortcut("e", T.inbox.edit, group, () => current && current.kind !== "question" && setEditing(current.id)),
      shortcut("x", T.inbox.reject, group, () => void decide(chosen, "reject")),
    ];
    return () => off.forEach((one) => one());
  });
  return (
    <Page title={T.pages.inbox.name} lead={T.inbox.about} actions={ticked.size ? (
      <>
        <span class="muted">{T.inbox.ticked(ticked.size)}</span>
        <Button kind="main" disabled={busy} onClick={() => void decide(chosen, "approve")}>{T.inbox.approve}</Button>
        <Button disabled={busy} onClick={() => void decide(chosen, "reject")}>{T.inbox.reject}</Button>
      </>
    ) : null}>
      <Failure text={loaded.error} again={loaded.reload} />
      <Busy when={loaded.busy && !loaded.data} />
      {loaded.data && !entries.length ? <Empty title={T.inbox.none}><p>{T.inbox.noneAbout}</p></Empty> : null}
      <ul class="inbox">
        {entries.map((entry, place) => (
          <li key={entry.id} id={`waits-${place}`} class={place === here ? "active" : undefined} onClick={() => setAt(place)}>
            <input type="checkbox" checked={ticked.has(entry.id)} aria-label={T.inbox.tick(entry.text.slice(0, 80))} onChange={() => tick(entry.id)} />
            <div class="inbox-body">
              {editing === entry.id ? <EditEntry entry={entry} save={(text) => void decide([entry], "approve", text)} cancel={() => setEditing(null)} /> : <p class="inbox-text"><Text>{entry.text}</Text></p>}
              {entry.replaces ? <p class="replaces">{T.inbox.replaces} <del><Text>{entry.replaces}</Text></del></p> : null}
              <p class="muted meta">
                <OriginBadge origin={entry.origin} />
                {entry.client ? <Text>{entry.client}</Text> : null}
                {entry.kind === "proposal" ? <span class="chip">{T.inbox.proposal}</span> : null}
                {entry.kind === "question" ? <span class="chip">{T.inbox.question}</span> : null}
                {entry.source ? <NoteLink path={entry.source} line={entry.source_line ?? undefined} /> : null}
                <When at={entry.at} />
              </p>
              {entry.because ? <p class="muted because"><Text>{entry.because}</Text></p> : null}
            </div>
            {editing === entry.id ? null : (
              <div class="actions">
                <Button kind="main" disabled={busy} onClick={() => void decide([entry], "approve")}>{T.inbox.approve}</Button>
                {entry.kind === "question" ? null : <Button disabled={busy} onClick={() => setEditing(entry.id)}>{T.inbox.edit}</Button>}
                <Button kind="quiet" disabled={busy} onClick={() => void decide([entry], "reject")}>{T.inbox.reject}</Button>
              </div>
            )}
          </li>
        ))}
      </ul>
    </Page>
  );
}

function EditEntry({ entry, save, cancel }: { entry: InboxEntry; save: (text: string) => void; cancel: () => void }): JSX.Element {
  const [text, setText] = useState(entry.text);
  const field = useFocus<HTMLTextAreaElement>();
  const key = (event: KeyboardEvent): void => {
    if (event.key === "Escape") cancel();
    else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) save(text);
    else return;
    event.preventDefault();
  };
  return (
    <div class="edit-entry">
      <textarea ref={field} rows={3} aria-label={T.inbox.editLabel} value={text} onInput={(event) => setText(event.currentTarget.value)} onKeyDown={key} />
      <div class="actions"><Button kind="main" disabled={!text.trim()} onClick={() => save(text)}>{T.inbox.saveEdit}</Button><Button onClick={cancel}>{T.cancel}</Button></div>
    </div>
  );
}
