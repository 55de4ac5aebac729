// Dreams: what a run took into MEMORY.md and why, what it left, and the way back.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { onKinds, useAttempts, useLoad } from "../load.ts";
import { Busy, Button, Empty, Failure, Go, Meter, NoteLink, OriginBadge, Page, Prose, Text, When } from "../parts/basic.tsx";
import { say, sayFailure, sayWritten } from "../parts/toast.tsx";
import { noteAddress } from "../router.ts";
import type { Dream, DreamRun } from "../shapes.ts";
import { agentName } from "../store.ts";
import { T } from "../texts.ts";

export function Dreams(): JSX.Element {
  const agent = agentName.value;
  const runs = useLoad((signal) => call("GET /dreams/runs", { query: { limit: 60 }, signal }), [agent], onKinds("dream", "write"));
  const [dream, setDream] = useState<Dream | null>(null);
  const { busy, failure, attempt } = useAttempts();
  const dry = (): Promise<void> => attempt(async () => setDream(await call("POST /dreams", { body: { dry_run: true } })));
  const run = (): Promise<void> => attempt(async () => {
    const made = await call("POST /dreams", { body: {} });
    setDream(made);
    runs.reload();
    // The whole run: its notes, and what it proposed.
    if (made.checkpointIds.length) say(T.dreams.ran, { undo: () => back(made.run) });
    else say(T.dreams.ranNothing);
  });
  const back = async (run: string): Promise<void> => {
    try {
      const made = await call("POST /dreams/rollback", { body: { run } });
      setDream(null);
      runs.reload();
      sayWritten(T.dreams.rolledBack, made.checkpointIds ?? []);
    } catch (error) {
      sayFailure(error);
    }
  };
  return (
    <Page title={T.pages.dreams.name} lead={T.dreams.about} actions={<><Button disabled={busy} onClick={() => void dry()}>{T.dreams.dry}</Button><Button kind="main" disabled={busy} onClick={() => void run()}>{T.dreams.run}</Button></>}>
      <Failure text={failure} />
      <Busy when={busy}>{T.dreams.dreaming}</Busy>
      {dream ? <DreamView dream={dream} /> : null}
      <section aria-labelledby="runs">
        <h2 id="runs">{T.dreams.runs}</h2>
        <Failure text={runs.error} again={runs.reload} />
        {runs.data?.runs.length ? <ol class="bare dream-runs">{runs.data.runs.map((one) => <RunView key={one.run} run={one} back={() => void back(one.run)} />)}</ol> : null}
        {runs.data && !runs.data.runs.length ? <Empty title={T.dreams.none}><p>{T.dreams.noneAbout}</p></Empty> : <Busy when={runs.busy && !runs.data} />}
      </section>
    </Page>
  );
}

function RunView({ run, back }: { run: DreamRun; back: () => void }): JSX.Element {
  return (
    <li class={run.rolled_back ? "dream-run gone" : "dream-run"}>
      <p class="dream-head">
        <strong><When at={run.at} /></strong>
        <OriginBadge origin={run.origin} />
        {run.notes.map((path) => <NoteLink key={path} path={path} />)}
        {run.report ? <Go to={noteAddress(run.report)} class="muted">{T.dreams.report}</Go> : null}
        <span class="spacer" />
        {run.rolled_back ? <span class="chip">{T.dreams.wasRolledBack}</span> : <Button kind="quiet" icon="undo" aria-label={T.dreams.rollBackThis(run.run)} onClick={back}>{T.dreams.rollBack}</Button>}
      </p>
      {run.why.length ? <ul class="dream-why">{run.why.map((line, at) => <li key={at}><Why text={line} /></li>)}</ul> : <p class="muted">{T.dreams.noReport}</p>}
    </li>
  );
}

/** A line of a report, in which places lead to their notes. */
function Why({ text }: { text: string }): JSX.Element {
  return (
    <>
      {text.split(/((?:memory\/[^\s#`]+|MEMORY|USER)\.md#\d+)/).map((piece, at) => {
        const [path = "", line = ""] = piece.split("#");
        return at % 2 ? <NoteLink key={at} path={path} line={Number(line)} /> : <Prose key={at} text={piece} />;
      })}
    </>
  );
}

function DreamView({ dream }: { dream: Dream }): JSX.Element {
  return (
    <section aria-labelledby="dream">
      <h2 id="dream">{dream.dry_run ? T.dreams.would : T.dreams.did}</h2>
      {dream.because ? <p class="muted"><Text>{dream.because}</Text></p> : null}
      {dream.deep.length ? (
        <table class="rows">
          <thead><tr><th scope="col">{T.dreams.outcome}</th><th scope="col">{T.forget.text}</th><th scope="col">{T.dreams.score}</th><th scope="col">{T.status.why}</th></tr></thead>
          <tbody>
            {dream.deep.map((one) => (
              <tr key={one.id}>
                <td>{T.dreams.outcomes[one.outcome as keyof typeof T.dreams.outcomes] ?? one.outcome}</td>
                <td><Text>{one.text}</Text><p class="muted meta"><OriginBadge origin={one.origin} /><Text>{one.place}</Text></p></td>
                <td><Meter value={one.score} label={one.score.toFixed(2)} /> <span class="muted">{one.score.toFixed(2)}</span></td>
                <td class="muted"><Text>{one.because}</Text></td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : <p class="muted">{T.dreams.nothing}</p>}
    </section>
  );
}
