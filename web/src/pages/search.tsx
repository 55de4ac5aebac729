// Search as you type: every answer says how it was found, how likely it is, and what its score is made of.
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useMemo, useState } from "preact/hooks";
import { keep, kept } from "../kept.ts";
import { shortcut } from "../keys.ts";
import { Empty, Failure, Go, Page, Text, useFocus } from "../parts/basic.tsx";
import { TypedFilter } from "../parts/text_field.tsx";
import { useTyped } from "../parts/typed.ts";
import { go, noteAddress, place } from "../router.ts";
import type { Hit, Results } from "../shapes.ts";
import { T } from "../texts.ts";
import { useAnswer } from "./search_answer.ts";
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
const ABOVE = 200; // pixels before the first hit
const LOWEST = 100; // of a hit: those that fit on a screen are drawn before the others
const PAUSE = 250; // milliseconds after which the others are drawn: who types on gets new ones first
const WORTH_KEEPING = 1500; // milliseconds that a question stands before it is remembered

export function Search(): JSX.Element {
  const { query } = place.value;
  const filters = Object.fromEntries(FILTERS.flatMap((name) => (query.get(name) ? [[name, query.get(name)!]] : []))) as Partial<Record<Filter, string>>;
  const set = (changes: Record<string, string>): void => {
    const next = new URLSearchParams(place.value.query);
    for (const [name, value] of Object.entries(changes)) {
      if (value) next.set(name, value);
      else next.delete(name);
    }
    go(`/search?${next}`, { replace: true });
  };
  const { text: question, type, settle } = useTyped(query.get("q") ?? "", (text) => set({ q: text }));
  const { results, failure, isStale, isLate, askMore } = useAnswer(question, filters);
  const [active, setActive] = useState(0);
  const [asked, setAsked] = useState(() => kept<string[]>("asked", []));
  const field = useFocus<HTMLInputElement>();
  useEffect(() => {
    setActive(0);
    if (!question.trim()) return;
    const remember = setTimeout(() => {
      const next = [question.trim(), ...asked.filter((one) => one !== question.trim())].slice(0, REMEMBERED);
      setAsked(next);
      keep("asked", next);
    }, WORTH_KEEPING);
    return () => clearTimeout(remember);
  }, [question]);
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
      shortcut("Enter", T.keys.open, T.keys.here, () => open(hits[active])),
    ];
    return () => off.forEach((one) => one());
  }, [hits, active]);
  // The same node as long as its hits are: what is typed does not draw them again.
  const found = useMemo(() => results && <Found results={results} active={active} />, [results, active]);
  const open = (hit: Hit | undefined): void => {
    if (!hit) return;
    settle(); // so that Back leads to this question
    go(noteAddress(hit.path, hit.start_line));
  };
  const filter = (changes: Record<string, string>): void => {
    settle(); // the question belongs to it
    set(changes);
  };
  // Drawn again when one of them changes, and not with each key.
  const bar = useMemo(() => <Filters filters={filters} filter={filter} />, [query]);
  return (
    <Page title={T.pages.search.name}>
      <input
        ref={field} type="search" data-main class="big" placeholder={T.search.placeholder} aria-label={T.search.label} value={question} autocomplete="off"
        onInput={(event) => type(event.currentTarget.value)} onBlur={settle} onKeyDown={(event) => event.key === "Enter" && open(hits[0])}
      />
      {bar}
      <Failure text={failure} />
      {question.trim() ? null : <Recent asked={asked} clear={() => (setAsked([]), keep("asked", []))} />}
      {results ? <section aria-label={T.search.results} aria-busy={isStale} class={isLate ? "late" : undefined}>{found}</section> : null}
      {askMore ? <button type="button" class="button quiet" onClick={askMore}>{T.search.more}</button> : null}
    </Page>
  );
}

function Filters({ filters, filter }: { filters: Partial<Record<Filter, string>>; filter: (changes: Record<string, string>) => void }): JSX.Element {
  return (
    <div class="filters" role="group" aria-label={T.search.filters}>
      {FILTERS.map((name) => (
        <label key={name} class={filters[name] ? "filter-chip on" : "filter-chip"}>
          <span>{T.search.filter[name]}</span>
          {CHOICES[name] ? (
            <select value={filters[name] ?? ""} onChange={(event) => filter({ [name]: event.currentTarget.value })}>
              <option value="">{T.search.any}</option>
              {CHOICES[name].map((value) => <option key={value} value={value}>{T.search.since[value as keyof typeof T.search.since] ?? T.origins[value as keyof typeof T.origins]?.name ?? value}</option>)}
            </select>
          ) : <TypedFilter value={filters[name] ?? ""} set={(text) => filter({ [name]: text })} />}
        </label>
      ))}
      {Object.keys(filters).length ? <button type="button" class="button quiet" onClick={() => filter(Object.fromEntries(FILTERS.map((name) => [name, ""])))}>{T.search.clear}</button> : null}
    </div>
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

function Found({ results, active }: { results: Results; active: number }): JSX.Element {
  const hits = results.results;
  const isDrawn = useDrawn(results);
  const mode = T.status.modes[results.mode as keyof typeof T.status.modes] ?? results.mode;
  const model = results.model ? ` · ${results.provider} / ${results.model}` : "";
  return (
    <>
      <p class="result-head" role="status">
        {T.search.hits(hits.length)} · {mode}<Text>{model}</Text> · {T.search.took(results.took_ms)}
        {results.partial ? <span class="chip waits">{T.search.partial}</span> : null}
      </p>
      {results.because ? <p class="notice warn"><Text>{results.because}</Text></p> : null}
      {hits.length && !results.likely ? <p class="notice info">{T.search.unlikely(Math.max(...hits.map((hit) => hit.confidence)))}</p> : null}
      {hits.length ? <ol class="hits">{(isDrawn ? hits : hits.slice(0, Math.ceil((window.innerHeight - ABOVE) / LOWEST))).map((hit, at) => <HitView key={at} hit={hit} at={at} active={at === active} query={results.query} />)}</ol> : (
        <Empty title={T.search.nothing}><p>{T.search.nothingAbout}</p></Empty>
      )}
    </>
  );
}

/** Whether these hits stand long enough: those that nobody sees yet are added when one stops typing. */
function useDrawn(results: Results): boolean {
  const [drawn, setDrawn] = useState<Results | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setDrawn(results), PAUSE);
    return () => clearTimeout(timer);
  }, [results]);
  return drawn === results;
}
