// Editing a note: a draft is kept as one types, a save says which version it was made from, and whoever wrote meanwhile
// is never overwritten unseen.
import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { ApiError, request, sentenceOf } from "../api.ts";
import { diffItems } from "../diff.ts";
import type { Editor } from "../editor.ts";
import { listen } from "../events.ts";
import { draftOf, keepDraft } from "../kept.ts";
import { shortcut } from "../keys.ts";
import { merge3 } from "../merge.ts";
import { Busy, Button, bytesOf, Failure, Notice } from "../parts/basic.tsx";
import { DiffView } from "../parts/diff_view.tsx";
import { say, sayWritten } from "../parts/toast.tsx";
import { agentName } from "../store.ts";
import { T } from "../texts.ts";

const MOST_NEW = 50 * 1024; // bytes of new lines in one save, as the server counts them
const DRAFT_AFTER = 300; // milliseconds

interface Theirs { text: string; etag: string; exists: boolean }

export interface NoteEditorProps { path: string; text: string; etag: string; exists: boolean; line: number | null; done: () => void }

export function NoteEditor({ path, text, etag, exists, line, done }: NoteEditorProps): JSX.Element {
  const agent = agentName.value;
  const draft = useMemo(() => draftOf(agent, path), []);
  // What the edit is made from: a draft goes on from the version it was begun with.
  const base = useRef({ text: draft?.base ?? text, etag: draft?.hash ?? etag, exists: draft ? draft.hash !== "" : exists });
  const [now, setNow] = useState(draft?.text ?? text);
  const [saving, setSaving] = useState(false);
  const [failure, setFailure] = useState("");
  const [theirs, setTheirs] = useState<Theirs | null>(null);
  const [outside, setOutside] = useState("");
  const [met, setMet] = useState(""); // what became of a conflict, until it is saved
  const [ready, setReady] = useState(false);
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor | null>(null);
  const dirty = now !== base.current.text;
  const over = useRef(false); // saved or dropped: nothing is left to keep
  const keepNow = useRef(() => {});
  keepNow.current = () => {
    if (!over.current) keepDraft(agent, path, dirty ? { hash: base.current.exists ? base.current.etag : "", text: now, base: base.current.text, at: Date.now() } : null);
  };
  const added = useMemo(() => newBytes(base.current.text, now), [now, theirs]);

  const save = async (content: string, from: { etag: string; exists: boolean }): Promise<void> => {
    setSaving(true);
    setFailure("");
    editor.current?.mark(null);
    try {
      const headers: Record<string, string> = from.exists ? { "If-Match": from.etag } : { "If-None-Match": "*" };
      const { data } = await request("PUT /notes/{path}", { path: { path }, body: { content }, headers });
      over.current = true;
      keepDraft(agent, path, null);
      if (data.waits) say(data.because ?? T.note.waits, { link: { to: "/inbox", text: T.pages.inbox.name } });
      else sayWritten(T.note.saved(path), [data.checkpointId]);
      done();
    } catch (error) {
      if (error instanceof ApiError && error.status === 412) await meet();
      else {
        setFailure(sentenceOf(error));
        if (error instanceof ApiError && error.line !== null) editor.current?.mark(error.line);
      }
    } finally {
      setSaving(false);
    }
  };
  const meet = async (): Promise<void> => {
    try {
      const { data, etag: tag } = await request("GET /notes/{path}", { path: { path }, query: { whole: true } });
      setTheirs({ text: data.text, etag: tag, exists: true });
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) setTheirs({ text: "", etag: "", exists: false });
      else setFailure(sentenceOf(error));
    }
  };
  const leave = (): void => {
    if (dirty) say(T.note.draftKept);
    done();
  };
  // The editor calls what holds when it is called, not what held when it was opened.
  const acts = useRef({ save: () => {}, leave });
  acts.current = { save: () => void save(editor.current?.text() ?? now, base.current), leave };

  useEffect(() => {
    let gone = false;
    import("../editor.ts").then(({ openEditor }) => {
      if (gone || !host.current) return;
      editor.current = openEditor(host.current, { text: now, label: T.note.editorLabel(path), changed: setNow, save: () => acts.current.save(), leave: () => acts.current.leave(), line: line ?? undefined });
      setReady(true);
      editor.current.focus();
    }, (error: unknown) => setFailure(sentenceOf(error)));
    return () => {
      gone = true;
      editor.current?.destroy();
    };
  }, []);
  useEffect(() => {
    const timer = setTimeout(() => keepNow.current(), DRAFT_AFTER);
    return () => clearTimeout(timer);
  }, [now]);
  useEffect(() => {
    // Whoever leaves right after the last key loses no word of it.
    const keep = (): void => keepNow.current();
    window.addEventListener("pagehide", keep);
    return () => {
      window.removeEventListener("pagehide", keep);
      keep();
    };
  }, []);
  useEffect(() => listen((event) => {
    if (event.kind === "write" && event.path === path && (!event.agent || event.agent === agent)) setOutside(event.exists === false ? "gone" : String(event.origin ?? "outside"));
  }), []);
  useEffect(() => shortcut("Ctrl-s", T.note.save, T.keys.here, () => acts.current.save()), []);

  const put = (made: string, from: Theirs): void => {
    setMet(made === from.text ? T.conflict.took : T.conflict.merged);
    base.current = { text: from.text, etag: from.etag, exists: from.exists };
    editor.current?.set(made);
    setNow(made);
    setTheirs(null);
    setOutside("");
  };
  return (
    <div class="editing">
      {outside && !theirs ? (
        <Notice kind="warn">
          <p>{outside === "gone" ? T.conflict.goneBar : T.conflict.bar(outside, T.origins[outside as keyof typeof T.origins]?.name ?? outside)}</p>
          <Button onClick={() => void meet()}>{T.conflict.look}</Button>
        </Notice>
      ) : null}
      {met && !theirs ? <Notice><p>{met}</p></Notice> : null}
      {theirs ? <Conflict base={base.current.text} yours={now} theirs={theirs} put={put} save={save} cancel={() => setTheirs(null)} /> : null}
      <Failure text={failure} />
      <Busy when={!ready && !failure}>{T.note.opening}</Busy>
      <div class="editor" ref={host} />
      <div class="save-bar">
        <span class={added > MOST_NEW ? "over" : "muted"} aria-live="polite">{T.note.newBytes(bytesOf(added), bytesOf(MOST_NEW))}</span>
        {draft ? <span class="muted">{T.note.fromDraft}</span> : null}
        <span class="spacer" />
        <Button onClick={leave}>{dirty ? T.note.later : T.close}</Button>
        {dirty && draft ? <Button kind="quiet" onClick={() => ((over.current = true), keepDraft(agent, path, null), done())}>{T.note.dropDraft}</Button> : null}
        <Button kind="main" disabled={saving || !dirty} onClick={() => acts.current.save()}>{saving ? T.saving : T.note.save}</Button>
      </div>
    </div>
  );
}

interface ConflictProps { base: string; yours: string; theirs: Theirs; put: (text: string, from: Theirs) => void; save: (text: string, from: Theirs) => Promise<void>; cancel: () => void }

/** The note was changed while it was edited: what differs, and the three ways on. */
function Conflict({ base, yours, theirs, put, save, cancel }: ConflictProps): JSX.Element {
  const both = useMemo(() => merge3(base, yours, theirs.text), [base, yours, theirs]);
  return (
    <section class="conflict" role="alertdialog" aria-labelledby="conflict-title">
      <h2 id="conflict-title">{theirs.exists ? T.conflict.title : T.conflict.goneTitle}</h2>
      <p>{theirs.exists ? T.conflict.about : T.conflict.goneAbout}</p>
      {theirs.exists ? <DiffView before={theirs.text} after={yours} beside names={[T.conflict.theirs, T.conflict.yours]} /> : null}
      <div class="actions">
        {theirs.exists ? <Button kind="main" onClick={() => put(both.text, theirs)}>{both.clashes ? T.conflict.bothClash(both.clashes) : T.conflict.both}</Button> : null}
        <Button onClick={() => void save(yours, theirs)}>{theirs.exists ? T.conflict.mine : T.conflict.makeAgain}</Button>
        {theirs.exists ? <Button onClick={() => put(theirs.text, theirs)}>{T.conflict.take}</Button> : null}
        <Button kind="quiet" onClick={cancel}>{T.conflict.goOn}</Button>
      </div>
    </section>
  );
}

/** The bytes of lines that were not there before. */
function newBytes(before: string, now: string): number {
  if (before === now) return 0;
  const lines = diffItems(before.split("\n"), now.split("\n")).filter((change) => change.op === "new").flatMap((change) => change.items);
  return new TextEncoder().encode(lines.join("\n")).length;
}
