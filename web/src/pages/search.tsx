// Search as you type: every answer says how it was found, how likely it is, and what its score is made of.
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { call, sentenceOf } from "../api.ts";
import { keep, kept } from "../kept.ts";
import { shortcut } from "../keys.ts";
import { Empty, Failure, Go, Page, Text, useFocus } from "../parts/basic.tsx";
import { go, noteAddress, place } from "../router.ts";
import type { Results } from "../shapes.ts";
import { agentName } from "../store.ts";
import { T } from "../texts.ts";
import { HitView } from "./search_hit.tsx";

const FILTERS = ["path", "source", "since", "category", "origin", "min_trust"] as const;
type Filter = (typeof FILTERS)[number];
const CHOICES: Partial<Record<Filter, readonly string[]>> = {
  source: ["memory", "sessions", "extra"],
  since: ["7d", "30d", "90d", "365d"],
  category: ["preference", "fact", "decision", "entity", "other"],
  origin: ["user", "agent", "auto_capture", "import", "mcp_tool", "api", "outside"],
  min_trust: ["user", "outside", "auto_capture", "agent"],
};
const REMEMBERED = 8; // questions of this browser
const WORTH_KEEPING = 1500; // milliseconds that a question stands before it is remembered

export function Search(): JSX.Element {
  const { query } = place.value;
  const question = query.get("q") ?? "";
  const filters = Object.fromEntries(FILTERS.flatMap((name) => (query.get(name) ? [[name, query.get(name)!]] : []))) as Partial<Record<Filter, string>>;
  const [results, setResults] = useState<Results | null>(null);
  const [failure, setFailure] = useState("");
  const [active, setActive] = useState(0);
  const [asked, setAsked] = useState(() => kept<string[]>("asked", []));
  const field = useFocus<HTMLInputElement>();
  const wanted = JSON.stringify([question, filters, agentName.value]);
  const shown = useRef("");
  useEffect(() => {
    setActive(0);
    if (!question.trim()) {
      setResults(null);
      setFailure("");
      return;
    }
    const stop = new AbortController();
    call("POST /search", { body: { query: question, max_results: 20, explain: true, ...filters }, signal: stop.signal }).then(
      (found) => {
        if (stop.signal.aborted) return;
        shown.current = wanted;
        setResults(found);
        setFailure("");
      },
      (error: unknown) => stop.signal.aborted || setFailure(sentenceOf(error)),
    );
    const remember = setTimeout(() => {
      const next = [question.trim(), ...asked.filter((one) => one !== question.trim())].slice(0, REMEMBERED);
      setAsked(next);
      keep("asked", next);
    }, WORTH_KEEPING);
    return () => {
      stop.abort();
      clearTimeout(remember);
    };
  }, [wanted]);
  const hits = results?.results ?? [];
  // Before the next key comes: it means what is on the screen.
  useLayoutEffect(() => {
    const move = (by: number) => (): void => {
      const next = Math.max(0, Math.min(hits.length - 1, active + by));
      setActive(next);
      document.getElementById(`hit-${next}`)?.scrollIntoView({ block: "nearest" });
    };
    const off = [
      shortcut("j", T.keys.next, T.keys.here, move(1)),
      shortcut("k", T.keys.previous, T.keys.here, move(-1)),
      shortcut("Enter", T.keys.open, T.keys.here, () => hits[active] && go(noteAddress(hits[active].path, hits[active].start_line))),
    ];
    return () => off.forEach((one) => one());
  }, [hits, active]);
  const set = (changes: Record<string, string>): void => {
    const next = new URLSearchParams(query);
    for (const [name, value] of Object.entries(changes)) {
      if (value) next.set(name, value);
      else next.delete(name);
    }
    go(`/search?${next}`, { replace: true });
  };
  return (
    <Page title={T.pages.search.name}>
      <input
        ref={field} type="search" data-main class="big" placeholder={T.search.placeholder} aria-label={T.search.label} value={question} autocomplete="off"
        onInput={(event) => set({ q: event.currentTarget.value })} onKeyDown={(event) => event.key === "Enter" && hits[0] && go(noteAddress(hits[0].path, hits[0].start_line))}
      />
      <div class="filters" role="group" aria-label={T.search.filters}>
        {FILTERS.map((name) => (
          <label key={name} class={filters[name] ? "filter-chip on" : "filter-chip"}>
            <span>{T.search.filter[name]}</span>
            {CHOICES[name] ? (
              <select value={filters[name] ?? ""} onChange={(event) => set({ [name]: event.currentTarget.value })}>
                <option value="">{T.search.any}</option>
                {CHOICES[name].map((value) => <option key={value} value={value}>{T.search.since[value as keyof typeof T.search.since] ?? T.origins[value as keyof typeof T.origins]?.name ?? value}</option>)}
              </select>
            ) : <input type="text" value={filters[name] ?? ""} placeholder={T.search.any} spellcheck={false} onChange={(event) => set({ [name]: event.currentTarget.value.trim() })} />}
          </label>
        ))}
        {Object.keys(filters).length ? <button type="button" class="button quiet" onClick={() => set(Object.fromEntries(FILTERS.map((name) => [name, ""])))}>{T.search.clear}</button> : null}
      </div>
      <Failure text={failure} />
      {question.trim() ? null : <Recent asked={asked} clear={() => (setAsked([]), keep("asked", []))} />}
      {results ? <Found results={results} active={active} stale={shown.current !== wanted} /> : null}
    </Page>
  );
}

function Recent({ asked, clear }: { asked: string[]; clear: () => void }): JSX.Element {
  if (!asked.length) return <Empty title={T.search.begin}><p>{T.search.beginAbout}</p></Empty>;
  return (
    <section aria-labelledby="asked">
      <h2 id="asked">{T.search.asked}</h2>
      <ul class="bare">{asked.map((one) => <li key={one}><Go to={`/search?q=${encodeURIComponent(one)}`}><Text>{one}</Text></Go></li>)}</ul>
      <button type="button" class="button quiet" onClick={clear}>{T.search.forgetAsked}</button>
    </section>
  );
}

function Found({ results, active, stale }: { results: Results; active: number; stale: boolean }): JSX.Element {
  const hits = results.results;
  const mode = T.status.modes[results.mode as keyof typeof T.status.modes] ?? results.mode;
  const model = results.model ? ` · ${results.provider} / ${results.model}` : "";
  return (
    <section aria-label={T.search.results} class={stale ? "stale" : undefined}>
      <p class="result-head" role="status">
        {T.search.hits(hits.length)} · {mode}<Text>{model}</Text> · {T.search.took(results.took_ms)}
        {results.partial ? <span class="chip waits">{T.search.partial}</span> : null}
      </p>
      {results.because ? <p class="notice warn"><Text>{results.because}</Text></p> : null}
      {hits.length && !results.likely ? <p class="notice info">{T.search.unlikely(Math.max(...hits.map((hit) => hit.confidence)))}</p> : null}
      {hits.length ? <ol class="hits">{hits.map((hit, at) => <HitView key={hit.chunk_id + at} hit={hit} at={at} active={at === active} query={results.query} />)}</ol> : (
        <Empty title={T.search.nothing}><p>{T.search.nothingAbout}</p></Empty>
      )}
    </section>
  );
}
