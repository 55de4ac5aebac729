// Drop every checkpoint of one note, for good: how many there are first, then a typed word.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { call, sentenceOf } from "../api.ts";
import { Button, Failure, Notice, useFocus } from "../parts/basic.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { say } from "../parts/toast.tsx";
import { useLoad } from "../load.ts";
import { agentName } from "../store.ts";
import { T } from "../texts.ts";

const WORD = "purge";

export function Purge({ path, close, done }: { path: string; close: () => void; done: () => void }): JSX.Element {
  const plan = useLoad((signal) => call("POST /purge", { body: { path, dry_run: true }, signal }), [agentName.value, path]);
  const [typed, setTyped] = useState("");
  const [failure, setFailure] = useState("");
  const field = useFocus<HTMLInputElement>(plan.data);
  const purge = async (event: Event): Promise<void> => {
    event.preventDefault();
    try {
      const made = await call("POST /purge", { body: { path, plan: plan.data?.plan, word: typed } });
      close();
      done();
      say(T.purge.done(made.changes));
    } catch (error) {
      setFailure(sentenceOf(error));
    }
  };
  return (
    <Dialog label={T.purge.title} close={close}>
      <form onSubmit={(event) => void purge(event)}>
        <h2>{T.purge.title}</h2>
        <Notice kind="bad"><p>{plan.data ? T.purge.plan(path, plan.data.changes) : T.loading}</p></Notice>
        <p>{T.purge.about}</p>
        <label>{T.forget.typeWord(WORD)}<input ref={field} type="text" autocomplete="off" spellcheck={false} value={typed} onInput={(event) => setTyped(event.currentTarget.value)} /></label>
        <Failure text={plan.error || failure} />
        <div class="dialog-foot"><Button onClick={close}>{T.cancel}</Button><Button kind="danger" type="submit" disabled={!plan.data || typed !== WORD}>{T.purge.go}</Button></div>
      </form>
    </Dialog>
  );
}
