// Facts: what holds, what held on a day, and how one became another.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { call } from "../api.ts";
import { onKinds, useLoad, useMore } from "../load.ts";
import { Busy, Button, dayOf, Empty, Failure, Go, Meter, NoteLink, OriginBadge, Page, Text } from "../parts/basic.tsx";
import { FilterText } from "../parts/text_field.tsx";
import { sayFailure, sayWritten } from "../parts/toast.tsx";
import { go, place, restOf } from "../router.ts";
import type { Fact } from "../shapes.ts";
import { agentName } from "../store.ts";
import { T } from "../texts.ts";

const PAGE = 100;
const SPAN = 730; // days that the slider goes back
const CATEGORIES = ["preference", "fact", "decision", "entity", "other"];

export function Facts({ path }: { path: string }): JSX.Element {
  const id = restOf(path, "/facts");
  return id ? <FactPage id={id} key={id} /> : <Ledger />;
}

function Ledger(): JSX.Element {
  const { query } = place.value;
  const category = query.get("category") ?? undefined;
  const origin = query.get("origin") ?? undefined;
  const state = query.get("state") ?? "live";
  const words = query.get("q") ?? undefined;
  const asOf = query.get("as_of") ?? undefined;
  const agent = agentName.value;
  const filter = { category, origin, state: asOf ? undefined : state, query: words, as_of: asOf, limit: PAGE };
  const found = useLoad((signal) => call("GET /facts", { query: filter, signal }), [agent, category, origin, state, words, asOf], onKinds("write", "capture"));
  const stats = useLoad((signal) => call("GET /facts/stats", { signal }), [agent], onKinds("write", "capture"));
  const more = useMore(found.data, found.data?.next_offset ?? null, async (offset, signal) => {
    const page = await call("GET /facts", { query: { ...filter, offset }, signal });
    return { rows: page.facts, next: page.next_offset };
  });
  const set = (name: string, value: string): void => {
    const asked = new URLSearchParams(query);
    if (value) asked.set(name, value);
    else asked.delete(name);
    go(`/facts?${asked}`, { replace: true });
  };
  const facts = [...(found.data?.facts ?? []), ...more.rows];
  return (
    <Page title={T.pages.facts.name} wide lead={stats.data ? T.facts.stats(stats.data.total, stats.data.duplicates, stats.data.stale, stats.data.most) : null}>
      <div class="filters" role="group" aria-label={T.search.filters}>
        <label class={words ? "filter-chip on" : "filter-chip"}><span>{T.facts.words}</span><FilterText value={words ?? ""} set={(text) => set("q", text)} /></label>
        <Chosen label={T.search.filter.category} value={category} choices={CATEGORIES} set={(value) => set("category", value)} />
        <Chosen label={T.search.filter.origin} value={origin} choices={Object.keys(T.origins)} set={(value) => set("origin", value)} />
        <Chosen label={T.facts.state} value={asOf ? undefined : state} choices={Object.keys(T.facts.states)} names={T.facts.states} set={(value) => set("state", value)} disabled={Boolean(asOf)} />
      </div>
      <AddFact done={found.reload} />
      <AsOf day={asOf} set={(day) => set("as_of", day)} />
      <Failure text={found.error} again={found.reload} />
      <Busy when={found.busy && !found.data} />
      {found.data && !facts.length ? <Empty title={asOf ? T.facts.noneThen : T.facts.none}><p>{T.facts.noneAbout}</p></Empty> : null}
      {facts.length ? <div class="table-scroll"><FactTable facts={facts} /></div> : null}
      <Failure text={more.error} />
      {more.next !== null ? <p><Button onClick={more.load}>{T.facts.more}</Button></p> : null}
    </Page>
  );
}

/** One sentence that is to be kept. */
function AddFact({ done }: { done: () => void }): JSX.Element {
  const [text, setText] = useState("");
  const [category, setCategory] = useState("");
  const add = async (event: Event): Promise<void> => {
    event.preventDefault();
    try {
      const made = await call("POST /facts", { body: { text: text.trim(), category: category || undefined } });
      setText("");
      done();
      sayWritten(T.facts.outcomes[made.outcome as keyof typeof T.facts.outcomes] ?? T.facts.added, made.checkpointIds, { to: `/facts/${encodeURIComponent(made.id)}`, text: T.keys.open });
    } catch (error) {
      sayFailure(error);
    }
  };
  return (
    <form class="inline-form add-fact" onSubmit={(event) => void add(event)}>
      <input type="text" value={text} placeholder={T.facts.addLabel} aria-label={T.facts.addLabel} onInput={(event) => setText(event.currentTarget.value)} />
      <select value={category} aria-label={T.search.filter.category} onChange={(event) => setCategory(event.currentTarget.value)}>
        <option value="">{T.facts.anyCategory}</option>
        {CATEGORIES.map((one) => <option key={one} value={one}>{one}</option>)}
      </select>
      <Button type="submit" icon="plus" disabled={!text.trim()}>{T.facts.add}</Button>
    </form>
  );
}

function Chosen({ label, value, choices, names, set, disabled }: { label: string; value?: string; choices: string[]; names?: Record<string, string>; set: (value: string) => void; disabled?: boolean }): JSX.Element {
  return (
    <label class={value ? "filter-chip on" : "filter-chip"}><span>{label}</span>
      <select value={value ?? ""} disabled={disabled} onChange={(event) => set(event.currentTarget.value)}>
        <option value="">{T.search.any}</option>
        {choices.map((one) => <option key={one} value={one}>{names?.[one] ?? T.origins[one as keyof typeof T.origins]?.name ?? one}</option>)}
      </select>
    </label>
  );
}

/** A slider of days: what held then. At its right end, what holds now. */
function AsOf({ day, set }: { day?: string; set: (day: string) => void }): JSX.Element {
  const dayAt = (back: number): string => dayOf(new Date(Date.now() - back * 86_400_000).toISOString());
  const back = day ? Math.min(SPAN, Math.max(0, Math.round((Date.now() - new Date(`${day}T12:00:00`).getTime()) / 86_400_000))) : 0;
  const [shown, setShown] = useState(SPAN - back);
  useEffect(() => setShown(SPAN - back), [day]);
  const text = shown >= SPAN ? T.facts.now : T.facts.then(dayAt(SPAN - shown));
  return (
    <div class="as-of">
      <label for="as-of">{T.facts.asOf}</label>
      <input id="as-of" type="range" min={0} max={SPAN} value={shown} aria-valuetext={text} onInput={(event) => setShown(Number(event.currentTarget.value))} onChange={(event) => set(Number(event.currentTarget.value) >= SPAN ? "" : dayAt(SPAN - Number(event.currentTarget.value)))} />
      <output for="as-of">{text}</output>
      {day ? <Button kind="quiet" onClick={() => set("")}>{T.facts.backToNow}</Button> : null}
    </div>
  );
}

function FactTable({ facts }: { facts: Fact[] }): JSX.Element {
  return (
    <table class="rows stacked">
      <thead><tr><th scope="col">{T.facts.fact}</th><th scope="col">{T.search.filter.category}</th><th scope="col">{T.facts.importance}</th><th scope="col">{T.search.filter.origin}</th><th scope="col">{T.facts.holds}</th><th scope="col" class="align-right">{T.facts.said}</th></tr></thead>
      <tbody>
        {facts.map((fact) => (
          <tr key={fact.id}>
            <td class="whole"><Go to={`/facts/${encodeURIComponent(fact.id)}`}>{fact.state === "live" ? <Text>{fact.text}</Text> : <s><Text>{fact.text}</Text></s>}</Go></td>
            <td>{fact.category}</td>
            <td><Meter value={fact.importance} label={fact.importance.toFixed(2)} /></td>
            <td><OriginBadge origin={fact.origin} /></td>
            <td class="muted when">{T.facts.span(fact.valid_from ?? fact.observed, fact.valid_until)}</td>
            <td class="align-right">{T.facts.times(fact.reinforced + 1)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function FactPage({ id }: { id: string }): JSX.Element {
  const loaded = useLoad((signal) => call("GET /facts/{id}", { path: { id }, signal }), [agentName.value, id], onKinds("write"));
  const fact = loaded.data?.fact;
  const source = loaded.data?.source;
  const act = async (what: "archive" | "restore" | "remove"): Promise<void> => {
    try {
      const options = { path: { id } };
      const made = what === "archive" ? await call("POST /facts/{id}/archive", options) : what === "restore" ? await call("POST /facts/{id}/restore", options) : await call("DELETE /facts/{id}", options);
      sayWritten(T.facts.did[what], made.checkpointIds);
      if (what === "remove") go("/facts");
      else loaded.reload();
    } catch (error) {
      sayFailure(error);
    }
  };
  return (
    <Page title={fact ? T.facts.fact : T.pages.facts.name} actions={fact ? (
      <>
        {fact.state === "live" ? <Button onClick={() => void act("archive")}>{T.facts.archive}</Button> : <Button kind="main" onClick={() => void act("restore")}>{T.facts.restore}</Button>}
        <Button kind="quiet" icon="forget" onClick={() => void act("remove")}>{T.facts.remove}</Button>
      </>
    ) : null}>
      <p><Go to="/facts">{T.facts.all}</Go></p>
      <Failure text={loaded.error} again={loaded.reload} />
      <Busy when={loaded.busy && !fact} />
      {fact && loaded.data ? (
        <>
          <p class="fact-text">{fact.state === "live" ? <Text>{fact.text}</Text> : <s><Text>{fact.text}</Text></s>}</p>
          <dl class="pairs wide-pairs">
            <dt>{T.facts.state}</dt><dd>{T.facts.states[fact.state as keyof typeof T.facts.states] ?? fact.state}</dd>
            <dt>{T.search.filter.category}</dt><dd>{fact.category}</dd>
            <dt>{T.facts.importance}</dt><dd>{fact.importance.toFixed(2)}</dd>
            <dt>{T.search.filter.origin}</dt><dd><OriginBadge origin={fact.origin} /></dd>
            <dt>{T.facts.holds}</dt><dd>{T.facts.span(fact.valid_from ?? fact.observed, fact.valid_until)}</dd>
            <dt>{T.facts.source}</dt><dd><NoteLink path={fact.path} line={fact.line} />{source ? <> · <Go to={`/sessions/${encodeURIComponent(source.session)}`}><Text>{source.session}</Text></Go></> : null}</dd>
            {source?.text ? <><dt>{T.facts.message}</dt><dd><Text>{source.text}</Text></dd></> : null}
            <dt>{T.facts.said}</dt><dd>{fact.reinforced + 1}{loaded.data.recalls === null ? "" : ` · ${T.facts.recalled(loaded.data.recalls)}`}</dd>
          </dl>
          {loaded.data.chain.length > 1 ? (
            <section aria-labelledby="chain">
              <h2 id="chain">{T.facts.chain}</h2>
              <ol class="chain">{loaded.data.chain.map((one) => <li key={one.id} class={one.id === id ? "here" : undefined}><span class="muted">{T.facts.span(one.valid_from ?? one.observed, one.valid_until)}</span><Go to={`/facts/${encodeURIComponent(one.id)}`} aria-current={one.id === id ? "true" : undefined}><Text>{one.text}</Text></Go>{one.rule ? <span class="muted"><Text>{one.rule}</Text></span> : null}</li>)}</ol>
            </section>
          ) : null}
        </>
      ) : null}
    </Page>
  );
}
