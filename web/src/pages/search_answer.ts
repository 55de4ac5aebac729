// The answer to what stands in the field: asked for at each key, and only the last question counts.
import { useCallback, useLayoutEffect, useState } from "preact/hooks";
import { call, sentenceOf } from "../api.ts";
import { useLatest } from "../load.ts";
import { keepInEntry, place } from "../router.ts";
import type { Results } from "../shapes.ts";
import { agentName } from "../store.ts";

const FIRST_HITS = 10; // as one types: more than a screen shows
const ALL_HITS = 100; // as many as a search gives
const LATE = 150; // milliseconds; most answers come sooner, and what is read does not flicker

interface Given { results: Results | null; failure: string; wanted: string }
const NOTHING: Given = { results: null, failure: "", wanted: "" };

/** `isStale`: it answers an earlier question, and another is on its way; `isLate`: for a while already. `askMore`: where there may be more hits. */
export interface Answer { results: Results | null; failure: string; isStale: boolean; isLate: boolean; askMore: (() => void) | null }

/** A path that is half typed stands for all that begins so. */
function startOf(path: string | undefined): string | undefined {
  return path && !/(\.md|[/*])$/.test(path) ? `${path}*` : path;
}

export function useAnswer(question: string, filters: Record<string, string>): Answer {
  const [given, setGiven] = useState(NOTHING);
  const [late, setLate] = useState("");
  const latest = useLatest();
  const asked = question.trim() ? JSON.stringify([question, filters, agentName.value]) : "";
  const most = asked && place.value.kept.all === asked ? ALL_HITS : FIRST_HITS;
  const wanted = asked && `${most} ${asked}`;
  // In the same breath as the key: an effect that waits for the next frame would ask some thirty milliseconds later.
  useLayoutEffect(() => {
    if (!wanted) {
      setGiven(NOTHING);
      return;
    }
    const body = { query: question, max_results: most, explain: true, ...filters, path: startOf(filters.path) };
    const put = (results: Results): void => setGiven({ results, failure: "", wanted });
    void latest.ask((signal) => call("POST /search", { body, signal }), put, (error) => setGiven((before) => ({ ...before, failure: sentenceOf(error) })));
    const waits = setTimeout(() => setLate(wanted), LATE);
    return () => {
      latest.drop();
      clearTimeout(waits);
    };
  }, [wanted]);
  const isStale = given.wanted !== wanted;
  const mayBeMore = most === FIRST_HITS && given.results?.results.length === FIRST_HITS;
  const askMore = useCallback(() => keepInEntry({ all: asked }), [asked]);
  return { results: given.results, failure: given.failure, isStale, isLate: isStale && late === wanted, askMore: mayBeMore ? askMore : null };
}
