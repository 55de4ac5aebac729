// Forget: say what, see the plan, tick what is meant, confirm. For good only with a typed word.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { call, sentenceOf } from "../api.ts";
import { useAttempts, useLatest } from "../load.ts";
import { Button, Empty, Failure, NoteLink, Notice, OriginBadge, Page, Prose, Text } from "../parts/basic.tsx";
import { sayWritten } from "../parts/toast.tsx";
import type { Forgot } from "../shapes.ts";
import { T } from "../texts.ts";

const WORD = "forget";
const placeOf = (one: { path: string; line: number }): string => `${one.path}#${one.line}`;

export function Forget(): JSX.Element {
  const [words, setWords] = useState("");
  const [exact, setExact] = useState(false);
  const [everywhere, setEverywhere] = useState(false);
  const [plan, setPlan] = useState<Forgot | null>(null);
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const [typed, setTyped] = useState("");
  const [done, setDone] = useState<Forgot | null>(null);
  const { busy, failure, setFailure, attempt } = useAttempts();
  const latest = useLatest();
  const asked = exact ? { text: words } : { request: words };
  const wholly = everywhere && exact; // a text that goes everywhere stays nowhere
  const show = (): Promise<void> => attempt(async () => {
    const put = (found: Forgot): void => {
      setPlan(found);
      setDone(null);
      setTyped("");
      setTicked(new Set((found.candidates ?? []).filter((one) => one.chosen || exact).map(placeOf)));
    };
    await latest.ask((signal) => call("POST /forget", { body: { ...asked, dry_run: true, everywhere }, signal }), put, (error) => setFailure(sentenceOf(error)));
  });
  // A plan is of what stands in the form: one that is on its way is not, once that is changed.
  const renew = (): void => {
    latest.drop();
    setPlan(null);
  };
  const forget = (): Promise<void> => attempt(async () => {
    const made = await call("POST /forget", { body: { ...asked, confirmed: true, ...(wholly ? {} : { places: [...ticked] }), everywhere, plan: plan?.plan, ...(everywhere ? { word: typed } : {}) } });
    setPlan(null);
    setDone(made);
    if (!everywhere) sayWritten(T.forget.done(made.forgotten.length), made.checkpointIds);
  });
  const candidates = plan?.candidates ?? [];
  // What no note says any more may still stand in checkpoints, exports and transcripts: an exact text goes from there.
  const traces = wholly && !candidates.length ? plan?.everywhere?.places ?? 0 : 0;
  const tick = (place: string): void => {
    const next = new Set(ticked);
    const one = candidates.find((candidate) => placeOf(candidate) === place);
    // Everywhere takes the words out of every place, so lines that say the same go or stay together.
    const alike = everywhere && one ? candidates.filter((candidate) => candidate.text === one.text).map(placeOf) : [place];
    for (const name of alike) ticked.has(place) ? next.delete(name) : next.add(name);
    setTicked(next);
  };
  const ready = (ticked.size > 0 || traces > 0) && (!everywhere || typed === WORD);
  return (
    <Page title={T.pages.forget.name} lead={T.forget.about}>
      <form class="forget-form" onSubmit={(event) => (event.preventDefault(), void show())}>
        <label for="forget-what">{exact ? T.forget.exactLabel : T.forget.wordsLabel}</label>
        <textarea id="forget-what" rows={2} value={words} onInput={(event) => (setWords(event.currentTarget.value), renew())} />
        <label class="switch-line"><input type="checkbox" checked={exact} onChange={(event) => (setExact(event.currentTarget.checked), renew())} />{T.forget.exact}</label>
        <label class="switch-line"><input type="checkbox" checked={everywhere} onChange={(event) => (setEverywhere(event.currentTarget.checked), renew())} />{T.forget.everywhere}</label>
        <div class="actions"><Button kind="main" type="submit" disabled={busy || !words.trim()}>{T.forget.show}</Button></div>
      </form>
      <Failure text={failure} />
      {plan ? (
        <section aria-labelledby="plan">
          <h2 id="plan">{T.forget.plan}</h2>
          {plan.because ? <p class="muted"><Prose text={plan.because} /></p> : null}
          {candidates.length ? (
            <table class="rows">
              <thead><tr><th scope="col">{T.forget.tick}</th><th scope="col">{T.forget.text}</th><th scope="col">{T.history.note}</th><th scope="col">{T.history.who}</th></tr></thead>
              <tbody>{candidates.map((one) => <tr key={placeOf(one)}><td><input type="checkbox" checked={ticked.has(placeOf(one))} disabled={wholly} aria-label={T.forget.tickThis(one.text.slice(0, 80))} onChange={() => tick(placeOf(one))} /></td><td><Text>{one.text.replace(/\s*<!--.*-->\s*$/, "")}</Text></td><td><NoteLink path={one.path} line={one.line} /></td><td><OriginBadge origin={one.origin} /></td></tr>)}</tbody>
            </table>
          ) : traces ? <p>{T.forget.traces(traces)}</p> : <Empty title={T.forget.nothing}><p>{T.forget.nothingAbout}</p></Empty>}
          {candidates.length || traces ? (
            <>
              {everywhere ? (
                <div class="for-good">
                  <Notice kind="bad"><p>{T.forget.forGood}</p></Notice>
                  <label for="forget-word">{T.forget.typeWord(WORD)}</label>
                  <input id="forget-word" type="text" autocomplete="off" spellcheck={false} value={typed} onInput={(event) => setTyped(event.currentTarget.value)} />
                </div>
              ) : null}
              <p class="actions"><Button kind="danger" disabled={busy || !ready} onClick={() => void forget()}>{traces ? T.forget.tracesGo(traces) : everywhere ? T.forget.goForGood(ticked.size) : T.forget.go(ticked.size)}</Button>{everywhere ? null : <span class="muted">{T.takeBack.canUndo}</span>}</p>
            </>
          ) : null}
        </section>
      ) : null}
      {done ? (
        <section aria-labelledby="done">
          <h2 id="done">{done.forgotten.length ? T.forget.done(done.forgotten.length) : T.forget.tracesDone(done.everywhere?.places ?? 0)}</h2>
          <ul class="bare">{done.forgotten.map((one, at) => <li key={at}><Text>{one.line ? `${one.path}#${one.line}` : one.path}</Text></li>)}</ul>
          {done.left?.length ? <><h3>{T.takeBack.left}</h3><ul class="bare">{done.left.map((one) => <li key={one.path}><Text>{`${one.path} ${one.because ?? ""}`}</Text></li>)}</ul></> : null}
        </section>
      ) : null}
    </Page>
  );
}
