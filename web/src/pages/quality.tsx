// Quality: your own questions, how well search answers them, and why one was missed.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { onKinds, useAttempts, useLoad } from "../load.ts";
import { Busy, Button, Empty, Failure, Go, Meter, NoteLink, Page, Text } from "../parts/basic.tsx";
import { sayFailure } from "../parts/toast.tsx";
import type { Quality as Report, QuestionRow, Questions } from "../shapes.ts";
import { agentName } from "../store.ts";
import { T } from "../texts.ts";
import { keepQuestions } from "./questions.ts";
import { JobRow } from "./status.tsx";

const DRAFTS = 20;

export function Quality(): JSX.Element {
  const agent = agentName.value;
  const questions = useLoad((signal) => call("GET /questions", { signal }), [agent]);
  const jobs = useLoad((signal) => call("GET /jobs", { signal }), [agent], onKinds("job"));
  const { busy, attempt } = useAttempts(sayFailure);
  const ours = jobs.data?.jobs.filter((job) => job.kind === "quality" && job.agent === agent) ?? [];
  const running = ours.find((job) => job.state === "running" || job.state === "waiting");
  const last = ours.find((job) => job.state === "done");
  const failed = ours[0]?.state === "failed" ? ours[0] : undefined;
  const rows = questions.data?.questions ?? [];
  const ask = (): Promise<void> => attempt(async () => {
    await call("POST /jobs", { body: { kind: "quality" } });
    jobs.reload();
  });
  const draft = (): Promise<void> => attempt(async () => {
    const made = await call("GET /questions/draft", { query: { count: DRAFTS } });
    const known = new Set(rows.map((row) => row.query));
    const fresh = made.questions.filter((row) => !known.has(row.query));
    if (questions.data) await keepQuestions(questions.data, [...rows, ...fresh], T.quality.drafted(fresh.length), questions.set);
  });
  return (
    <Page
      title={T.pages.quality.name} lead={T.quality.about}
      actions={<><Button disabled={busy || !questions.data} onClick={() => void draft()}>{T.quality.draft(DRAFTS)}</Button><Button kind="main" icon="play" disabled={busy || !rows.length || Boolean(running)} onClick={() => void ask()}>{T.quality.run}</Button></>}
    >
      <Failure text={questions.error || jobs.error} again={() => (questions.reload(), jobs.reload())} />
      <Busy when={questions.busy && !questions.data} />
      {running || failed ? <table class="rows"><tbody><JobRow job={(running ?? failed)!} reload={jobs.reload} /></tbody></table> : null}
      {last?.result ? <Scores report={last.result as unknown as Report} /> : null}
      {questions.data ? <Asked held={questions.data} set={questions.set} /> : null}
    </Page>
  );
}

function Scores({ report }: { report: Report }): JSX.Element {
  const figures: Array<[string, number | null | undefined]> = [[T.quality.notes, report.notes], [T.quality.floor, report.floor], [T.quality.lines, report.lines], [T.quality.first, report.first]];
  return (
    <section aria-labelledby="scores">
      <h2 id="scores">{T.quality.scores(report.questions)}</h2>
      <table class="rows scores"><tbody>{figures.map(([name, value]) => (value === null || value === undefined ? null : <tr key={name}><th scope="row">{name}</th><td><Meter value={value} label={T.quality.share(value)} /> <span class="number">{T.quality.share(value)}</span></td></tr>))}</tbody></table>
      <h3>{T.quality.misses(report.misses.length)}</h3>
      {report.misses.length ? (
        <table class="rows misses">
          <thead><tr><th scope="col">{T.quality.question}</th><th scope="col">{T.quality.wanted}</th><th scope="col">{T.quality.got}</th><th scope="col">{T.quality.because}</th></tr></thead>
          <tbody>
            {report.misses.map((miss, at) => (
              <tr key={at}>
                <td><Go to={`/search?q=${encodeURIComponent(miss.query)}`} title={T.quality.why}><Text>{miss.query}</Text></Go></td>
                <td>{miss.wanted.map((one, place) => <p key={place}><Place path={one.path} line={one.line} text={one.text} /></p>)}</td>
                <td>{miss.got ? <Place path={miss.got.split("#")[0]!} line={Number(miss.got.split("#")[1]) || 0} text="" /> : <span class="muted">{T.quality.nothing}</span>}</td>
                <td class="muted"><Text>{miss.because}</Text></td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : <p class="muted">{T.quality.noMisses}</p>}
    </section>
  );
}

function Asked({ held, set }: { held: Questions; set: (made: Questions) => void }): JSX.Element {
  const [query, setQuery] = useState("");
  const [path, setPath] = useState("");
  const rows = held.questions;
  const keep = async (next: QuestionRow[], said: string): Promise<boolean> => {
    try {
      await keepQuestions(held, next, said, set);
      return true;
    } catch (error) {
      sayFailure(error);
      return false;
    }
  };
  const add = async (event: Event): Promise<void> => {
    event.preventDefault();
    const [note = "", line = ""] = path.trim().split("#");
    const row: QuestionRow = { query: query.trim(), path: note, ...(Number(line) > 0 ? { line: Number(line) } : {}) };
    if (await keep([...rows, row], T.quality.added)) (setQuery(""), setPath(""));
  };
  return (
    <section aria-labelledby="asked">
      <h2 id="asked">{T.quality.questions(rows.length)}</h2>
      <form class="inline-form ask-form" onSubmit={(event) => void add(event)}>
        <label><span>{T.quality.question}</span><input type="text" required value={query} placeholder={T.quality.questionExample} onInput={(event) => setQuery(event.currentTarget.value)} /></label>
        <label><span>{T.quality.answerIn}</span><input type="text" required value={path} placeholder="memory/plans.md#12" spellcheck={false} onInput={(event) => setPath(event.currentTarget.value)} /></label>
        <Button type="submit">{T.quality.add}</Button>
      </form>
      {rows.length ? (
        <table class="rows">
          <thead><tr><th scope="col">{T.quality.question}</th><th scope="col">{T.quality.wanted}</th><td /></tr></thead>
          <tbody>
            {rows.map((row, at) => (
              <tr key={`${row.query} ${at}`}>
                <td><Go to={`/search?q=${encodeURIComponent(row.query)}`}><Text>{row.query}</Text></Go></td>
                <td>{row.unanswerable ? <span class="muted">{T.quality.noAnswer}</span> : <Place path={row.path ?? ""} line={(Array.isArray(row.line) ? row.line[0] : row.line) ?? 0} text={row.text ?? ""} />}{row.path && held.missing.includes(row.path) ? <p class="locked">{T.quality.missing(row.path)}</p> : null}</td>
                <td class="align-right"><Button kind="quiet" icon="close" aria-label={T.quality.removeThis(row.query)} onClick={() => void keep(rows.filter((_, place) => place !== at), T.quality.removed)} /></td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : <Empty title={T.quality.none}><p>{T.quality.noneAbout}</p></Empty>}
      {rows.length ? <p class="muted">{T.quality.file} <code><Text>{held.file}</Text></code></p> : null}
    </section>
  );
}

function Place({ path, line, text }: { path: string; line: number; text: string }): JSX.Element {
  if (!path.endsWith(".md")) return <Text>{text || path}</Text>;
  return <NoteLink path={path} line={line || undefined} />;
}
