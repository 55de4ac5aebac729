// One hit: where it stands, its words, how likely it is, and the bar of what its score is made of.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Button, Meter, NoteLink, OriginBadge, Text } from "../parts/basic.tsx";
import { Picture } from "../parts/picture.tsx";
import { sayFailure } from "../parts/toast.tsx";
import type { Hit } from "../shapes.ts";
import { T } from "../texts.ts";
import { markedPieces } from "./marked_pieces.ts";
import { addQuestion } from "./questions.ts";

/** The parts that add up to the score, as search/hit.py names them. */
export const CONTRIBUTIONS = [
  "text", "vector", "neighbours", "note", "expand", "closer", "context", "exact", "time", "recency", "importance", "access",
  "project", "superseded", "limit", "rerank", "answer", "day", "newer",
] as const;

export function HitView({ hit, at, active, query }: { hit: Hit; at: number; active: boolean; query: string }): JSX.Element {
  // The hits of the next key take the place of these, each in its own row: whose parts are shown is told by its name.
  const [opened, setOpened] = useState("");
  const open = opened === hit.chunk_id;
  return (
    <li id={`hit-${at}`} class={`hit${active ? " active" : ""}${hit.likely ? "" : " unlikely"}`}>
      <p class="hit-head">
        {hit.media ? <Text>{hit.path}</Text> : <NoteLink path={hit.path} line={hit.start_line} />}
        {hit.headings?.length ? <span class="muted"><Text>{hit.headings.join(" › ")}</Text></span> : null}
        <span class="hit-marks">
          <OriginBadge origin={hit.origin} />
          {hit.waits ? <span class="chip waits">{T.search.waits}</span> : null}
          {hit.newer ? <span class="chip old">{T.search.older}</span> : null}
          <Meter value={hit.confidence} label={T.search.confidence(hit.confidence)} />
        </span>
      </p>
      {hit.media === "image" ? <Picture path={hit.path} /> : null}
      <p class="snippet"><Marked text={hit.snippet.replace(/\n\s*\n/g, "\n")} query={query} /></p>
      {active ? <p class="hit-tools"><Button kind="quiet" icon="check" onClick={() => void answers(query, hit)}>{T.quality.answers}</Button></p> : null}
      {hit.explain ? (
        <div class="explain">
          <button type="button" class="bar-button" aria-expanded={open} onClick={() => setOpened(open ? "" : hit.chunk_id)}>
            <ExplainBar parts={hit.explain} score={hit.score} />
            <span class="score">{T.search.score(hit.score)}</span>
          </button>
          {open ? <ExplainTable parts={hit.explain} foundBy={hit.found_by} /> : null}
        </div>
      ) : null}
    </li>
  );
}

/** Keeps the question with this hit as its answer, for Quality. */
async function answers(query: string, hit: Hit): Promise<void> {
  try {
    await addQuestion({ query: query.trim(), path: hit.path, line: [hit.start_line, hit.end_line] });
  } catch (error) {
    sayFailure(error);
  }
}

/** The words of the question, where they or what begins with them stand in the text. */
export function Marked({ text, query }: { text: string; query: string }): JSX.Element {
  return <>{markedPieces(text, query).map((piece, at) => (at % 2 ? <mark key={at}><Text>{piece}</Text></mark> : piece && <Text key={at}>{piece}</Text>))}</>;
}

function contributions(parts: Record<string, number>): Array<[string, number]> {
  return CONTRIBUTIONS.flatMap((name): Array<[string, number]> => (parts[name] ? [[name, parts[name]]] : []));
}

export function ExplainBar({ parts, score }: { parts: Record<string, number>; score: number }): JSX.Element {
  const all = contributions(parts);
  const whole = Math.max(1, all.reduce((sum, [, value]) => sum + Math.max(0, value), 0));
  let at = 0;
  const said = all.map(([name, value]) => `${T.explain[name as keyof typeof T.explain] ?? name} ${value.toFixed(3)}`).join(", ");
  return (
    <svg class="explain-bar" viewBox="0 0 100 6" preserveAspectRatio="none" role="img" aria-label={T.search.madeOf(score, said)}>
      <rect width="100" height="6" class="bar-back" />
      {all.map(([name, value]) => {
        const width = (Math.abs(value) / whole) * 100;
        if (value < 0) {
          at -= width;
          return <rect key={name} x={Math.max(0, at)} width={width} height="6" class="bar-less" />;
        }
        const made = <rect key={name} x={at} width={Math.max(0, width - 0.3)} height="6" class={`bar-${name}`} />;
        at += width;
        return made;
      })}
    </svg>
  );
}

function ExplainTable({ parts, foundBy }: { parts: Record<string, number>; foundBy?: string }): JSX.Element {
  const summed = contributions(parts);
  const others = Object.entries(parts).filter(([name]) => !(CONTRIBUTIONS as readonly string[]).includes(name) && name !== "score");
  const sum = summed.reduce((total, [, value]) => total + value, 0);
  return (
    <div class="explain-tables">
      <table class="numbers">
        <caption>{T.search.parts}{foundBy ? ` (${foundBy})` : ""}</caption>
        <tbody>
          {summed.map(([name, value]) => <tr key={name}><th scope="row"><span class={`dot bar-${value < 0 ? "less" : name}`} />{T.explain[name as keyof typeof T.explain] ?? name}</th><td>{value.toFixed(4)}</td></tr>)}
          <tr class="total"><th scope="row">{T.search.sum}</th><td>{sum.toFixed(4)}</td></tr>
        </tbody>
      </table>
      <table class="numbers">
        <caption>{T.search.evidence}</caption>
        <tbody>{others.map(([name, value]) => <tr key={name}><th scope="row">{T.explain[name as keyof typeof T.explain] ?? name.replaceAll("_", " ")}</th><td>{Number.isInteger(value) ? value : value.toPrecision(4)}</td></tr>)}</tbody>
      </table>
    </div>
  );
}
