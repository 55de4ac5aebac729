// Take back everything that came from one origin: first the list of what would go, then the deed.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { call, sentenceOf } from "../api.ts";
import { useLatest } from "../load.ts";
import { Button, Failure, NoteLink, Text } from "../parts/basic.tsx";
import { sayWritten } from "../parts/toast.tsx";
import type { TookBack } from "../shapes.ts";
import { T } from "../texts.ts";

export function TakeBack({ close }: { close: () => void }): JSX.Element {
  const [origin, setOrigin] = useState("import");
  const [since, setSince] = useState("");
  const [plan, setPlan] = useState<TookBack | null>(null);
  const [failure, setFailure] = useState("");
  const latest = useLatest();
  const asked = { origin, since: since || undefined };
  const fail = (error: unknown): void => setFailure(sentenceOf(error));
  const show = (): void => {
    setFailure("");
    void latest.ask((signal) => call("POST /undo/origin", { body: { ...asked, dry_run: true }, signal }), setPlan, fail);
  };
  const take = async (): Promise<void> => {
    setFailure("");
    try {
      const made = await call("POST /undo/origin", { body: { ...asked, dry_run: false } });
      sayWritten(T.takeBack.done(made.notes.length), made.checkpointIds);
      close();
    } catch (error) {
      fail(error);
    }
  };
  // A plan is of what stands in the form.
  const renew = (): void => {
    latest.drop();
    setPlan(null);
  };
  return (
    <section class="panel" aria-labelledby="take-back">
      <h2 id="take-back">{T.takeBack.title}</h2>
      <form class="inline-form" onSubmit={(event) => (event.preventDefault(), show())}>
        <label>{T.takeBack.from}
          <select value={origin} onChange={(event) => (setOrigin(event.currentTarget.value), renew())}>
            {Object.entries(T.origins).map(([name, text]) => <option key={name} value={name}>{text.name}</option>)}
          </select>
        </label>
        <label>{T.takeBack.since}<input type="date" value={since} onInput={(event) => (setSince(event.currentTarget.value), renew())} /></label>
        <Button type="submit">{T.takeBack.show}</Button>
        <Button kind="quiet" onClick={close}>{T.cancel}</Button>
      </form>
      <Failure text={failure} />
      {plan ? (
        <>
          {plan.notes.length ? (
            <table class="rows">
              <thead><tr><th scope="col">{T.history.note}</th><th scope="col" class="align-right">{T.takeBack.gone}</th><th scope="col" class="align-right">{T.takeBack.back}</th><th scope="col" class="align-right">{T.takeBack.kept}</th></tr></thead>
              <tbody>{plan.notes.map((note) => <tr key={note.path}><td><NoteLink path={note.path} />{note.exists ? null : <span class="muted"> {T.takeBack.whole}</span>}</td><td class="align-right">{note.exists ? note.gone : "–"}</td><td class="align-right">{note.exists ? note.back : "–"}</td><td class="align-right">{note.exists ? note.kept : "–"}</td></tr>)}</tbody>
            </table>
          ) : <p class="muted">{T.takeBack.nothing}</p>}
          {plan.left.length ? <><h3>{T.takeBack.left}</h3><ul class="bare">{plan.left.map((note) => <li key={note.path}><Text>{note.path}</Text> <span class="muted"><Text>{note.because ?? ""}</Text></span></li>)}</ul></> : null}
          {plan.notes.length ? <p><Button kind="danger" onClick={() => void take()}>{T.takeBack.go(plan.notes.length)}</Button> <span class="muted">{T.takeBack.canUndo}</span></p> : null}
        </>
      ) : null}
    </section>
  );
}
