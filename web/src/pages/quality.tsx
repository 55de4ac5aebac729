// Quality: your own questions, how well search answers them, and why one was missed.
import type { JSX } from "preact";
import { call } from "../api.ts";
import { onKinds, useLoad } from "../load.ts";
import { Busy, Button, Empty, Failure, Go, Meter, NoteLink, Page, Text } from "../parts/basic.tsx";
import { say, sayFailure } from "../parts/toast.tsx";
import { agentName } from "../store.ts";
import { T } from "../texts.ts";
import { JobRow } from "./status.tsx";

interface Miss { query: string; wanted: string; got: string | null }
interface Scored { name: string; score: number; floor: number | null; questions: number; misses: Miss[] }

export function Quality(): JSX.Element {
  const jobs = useLoad((signal) => call("GET /jobs", { signal }), [agentName.value], onKinds("job"));
  const ours = jobs.data?.jobs.filter((job) => job.kind === "quality") ?? [];
  const last = ours.find((job) => job.state === "done");
  const sets = (last?.result?.sets as Scored[] | undefined) ?? [];
  const begin = async (): Promise<void> => {
    try {
      await call("POST /jobs", { body: { kind: "quality" } });
      jobs.reload();
      say(T.status.begun);
    } catch (error) {
      sayFailure(error);
    }
  };
  return (
    <Page title={T.pages.quality.name} lead={T.quality.about} actions={<Button kind="main" onClick={() => void begin()}>{T.quality.run}</Button>}>
      <Failure text={jobs.error} again={jobs.reload} />
      <Busy when={jobs.busy && !jobs.data} />
      {ours.length ? <table class="rows"><tbody>{ours.slice(0, 3).map((job) => <JobRow key={job.id} job={job} reload={jobs.reload} />)}</tbody></table> : null}
      {jobs.data && !sets.length ? <Empty title={T.quality.none}><p>{T.quality.noneAbout}</p></Empty> : null}
      {sets.map((set) => (
        <section key={set.name} aria-labelledby={`set-${set.name}`}>
          <h2 id={`set-${set.name}`}><Text>{set.name}</Text></h2>
          <p><Meter value={set.score} label={T.quality.score(set.score)} /> {T.quality.score(set.score)} · {T.quality.questions(set.questions)}{set.floor === null ? "" : ` · ${T.quality.floor(set.floor)}`}</p>
          {set.misses.length ? (
            <table class="rows">
              <caption class="visually-hidden">{T.quality.misses}</caption>
              <thead><tr><th scope="col">{T.quality.question}</th><th scope="col">{T.quality.wanted}</th><th scope="col">{T.quality.got}</th></tr></thead>
              <tbody>{set.misses.slice(0, 100).map((miss, at) => <tr key={at}><td><Go to={`/search?q=${encodeURIComponent(miss.query)}`} title={T.quality.why}><Text>{miss.query}</Text></Go></td><td><Place place={miss.wanted} /></td><td>{miss.got ? <Place place={miss.got} /> : <span class="muted">{T.search.nothing}</span>}</td></tr>)}</tbody>
            </table>
          ) : <p class="muted">{T.quality.noMisses}</p>}
        </section>
      ))}
    </Page>
  );
}

/** `path#line` as a link. */
function Place({ place }: { place: string }): JSX.Element {
  const [path = "", line = ""] = place.split("#");
  return /\.md$/.test(path) ? <NoteLink path={path} line={Number(line) || undefined} /> : <Text>{place}</Text>;
}
