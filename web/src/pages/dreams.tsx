// Dreams: what a run took into MEMORY.md and why, what it left, and the way back.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { call, sentenceOf } from "../api.ts";
import { onKinds, useLoad } from "../load.ts";
import { Busy, Button, Empty, Failure, Go, Meter, OriginBadge, Page, Text, When } from "../parts/basic.tsx";
import { say, sayFailure, sayWritten } from "../parts/toast.tsx";
import { noteAddress } from "../router.ts";
import type { Dream } from "../shapes.ts";
import { agentName } from "../store.ts";
import { T } from "../texts.ts";

export function Dreams(): JSX.Element {
  const agent = agentName.value;
  const reports = useLoad((signal) => call("GET /dreams/reports", { query: { limit: 60 }, signal }), [agent], onKinds("dream", "write"));
  const [dream, setDream] = useState<Dream | null>(null);
  const [failure, setFailure] = useState("");
  const [busy, setBusy] = useState(false);
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setFailure("");
    try {
      await work();
    } catch (error) {
      setFailure(sentenceOf(error));
    } finally {
      setBusy(false);
    }
  };
  const dry = (): Promise<void> => attempt(async () => setDream(await call("POST /dreams", { body: { dry_run: true } })));
  const run = (): Promise<void> => attempt(async () => {
    const made = await call("POST /dreams", { body: {} });
    setDream(made);
    reports.reload();
    if (made.checkpointIds.length) sayWritten(T.dreams.ran, made.checkpointIds);
    else say(T.dreams.ranNothing);
  });
  const back = async (): Promise<void> => {
    try {
      const made = await call("POST /dreams/rollback", { body: {} });
      sayWritten(T.dreams.rolledBack, made.checkpointIds ?? []);
    } catch (error) {
      sayFailure(error);
    }
  };
  return (
    <Page title={T.pages.dreams.name} lead={T.dreams.about} actions={<><Button disabled={busy} onClick={() => void dry()}>{T.dreams.dry}</Button><Button disabled={busy} onClick={() => void run()}>{T.dreams.run}</Button><Button kind="quiet" icon="undo" disabled={busy} onClick={() => void back()}>{T.dreams.rollBack}</Button></>}>
      <Failure text={failure} />
      <Busy when={busy}>{T.dreams.dreaming}</Busy>
      {dream ? <DreamView dream={dream} /> : null}
      <section aria-labelledby="reports">
        <h2 id="reports">{T.dreams.reports}</h2>
        <Failure text={reports.error} again={reports.reload} />
        {reports.data?.reports.length ? (
          <table class="rows"><tbody>{reports.data.reports.map((one) => <tr key={one.path}><td><Go to={noteAddress(one.path)}><Text>{one.path.replace(/^.*\/|\.md$/g, "")}</Text></Go></td><td class="muted when"><When at={one.modified} /></td></tr>)}</tbody></table>
        ) : reports.data ? <Empty title={T.dreams.none}><p>{T.dreams.noneAbout}</p></Empty> : <Busy when={reports.busy} />}
      </section>
    </Page>
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
