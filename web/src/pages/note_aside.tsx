// Beside a note: what is in it, what leads here, what it is; and the dialog that renames it.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { onKinds, useLoad } from "../load.ts";
import type { Block } from "../markdown/parse.ts";
import { plainOf } from "../markdown/parse.ts";
import { anchorOf } from "../markdown/render.tsx";
import { bytesOf, Button, Failure, Go, NoteLink, Text, useFocus, When } from "../parts/basic.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { sayBackAndForth, takeBack } from "../parts/toast.tsx";
import { go, noteAddress, place, restOf } from "../router.ts";
import type { NoteText } from "../shapes.ts";
import { agentName } from "../store.ts";
import { T } from "../texts.ts";

export function NoteAside({ note, blocks }: { note: NoteText; blocks: Block[] }): JSX.Element {
  const agent = agentName.value;
  const links = useLoad((signal) => call("GET /notes/{path}/links", { path: { path: note.path }, signal }).catch(() => null), [agent, note.path, note.hash], onKinds("sync"));
  const last = useLoad((signal) => call("GET /history", { query: { path: note.path, limit: 1, full: true }, signal }), [agent, note.path, note.hash]);
  const headings = blocks.filter((block) => block.t === "heading");
  const change = last.data?.checkpoints[0];
  return (
    <aside class="note-aside" aria-label={T.note.about}>
      {headings.length > 1 ? (
        <section>
          <h2>{T.note.outline}</h2>
          <ol class="outline">
            {headings.map((one) => <li key={one.line} class={`depth-${one.level}`}><a href={`#${anchorOf(plainOf(one.inside))}`}><Text>{plainOf(one.inside)}</Text></a></li>)}
          </ol>
        </section>
      ) : null}
      <section>
        <h2>{T.note.backlinks}</h2>
        {links.data?.backlinks.length ? (
          <ul class="links">{links.data.backlinks.map((one) => <li key={`${one.path}${one.line}`}><NoteLink path={one.path} line={one.line} /><p class="muted"><Text>{one.text}</Text></p></li>)}</ul>
        ) : <p class="muted">{T.note.noBacklinks}</p>}
        {links.data?.partial ? <p class="muted">{T.note.partial}</p> : null}
      </section>
      <section>
        <h2>{T.note.about}</h2>
        <dl class="pairs">
          <dt>{T.note.size}</dt><dd>{bytesOf(note.bytes ?? new TextEncoder().encode(note.text).length)}</dd>
          {note.modified ? <><dt>{T.note.modified}</dt><dd><When at={note.modified} /></dd></> : null}
          {change ? <><dt>{T.note.lastChange}</dt><dd><Go to={`/history/${change.id}`}>{T.origins[change.origin as keyof typeof T.origins]?.name ?? change.origin}, <When at={change.createdAt} /></Go></dd></> : null}
          <dt>{T.note.hash}</dt><dd><code title={note.hash}>{note.hash.slice(0, 12)}</code></dd>
        </dl>
        <p><Go to={`/history?path=${encodeURIComponent(note.path)}`}>{T.note.itsHistory}</Go></p>
      </section>
    </aside>
  );
}

export function RenameNote({ path, etag, close }: { path: string; etag: string; close: () => void }): JSX.Element {
  const [name, setName] = useState(path);
  const [failure, setFailure] = useState("");
  const field = useFocus<HTMLInputElement>();
  const rename = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (name.trim() === path) return close();
    try {
      const made = await call("POST /notes/{path}/rename", { path: { path }, body: { to: name.trim() }, headers: { "If-Match": etag } });
      close();
      go(noteAddress(made.path));
      // Whoever takes it back looks at the note by the name that it has then.
      let [here, there] = [made.path, path];
      sayBackAndForth(T.note.renamed(made.path), made.checkpointIds, async (ids) => {
        const back = await takeBack(ids);
        if (restOf(place.value.path, "/notes") === here) go(noteAddress(there));
        [here, there] = [there, here];
        return back;
      });
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <Dialog label={T.note.rename} close={close}>
      <form onSubmit={(event) => void rename(event)}>
        <h2>{T.note.rename}</h2>
        <label>{T.notes.nameLabel}<input ref={field} type="text" value={name} spellcheck={false} autocomplete="off" onInput={(event) => setName(event.currentTarget.value)} /></label>
        <Failure text={failure} />
        <div class="dialog-foot"><Button onClick={close}>{T.cancel}</Button><Button kind="main" type="submit">{T.note.rename}</Button></div>
      </form>
    </Dialog>
  );
}
