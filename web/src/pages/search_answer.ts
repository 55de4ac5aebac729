// The answer to what stands in the field: asked for at each key, and only the last question counts.
import { useLayoutEffect, useState } from "preact/hooks";
import { call, sentenceOf } from "../api.ts";
import { useLatest } from "../load.ts";
import type { Results } from "../shapes.ts";
import { agentName } from "../store.ts";

const MOST_HITS = 20;
const LATE = 150; // milliseconds; most answers come sooner, and what is read does not flicker

interface Given { results: Results | null; failure: string; wanted: string }
const NOTHING: Given = { results: null, failure: "", wanted: "" };

/** `isStale`: it answers an earlier question, and another is on its way; `isLate`: for a while already. */
export interface Answer { results: Results | null; failure: string; isStale: boolean; isLate: boolean }

export function useAnswer(question: string, filters: Record<string, string>): Answer {
  const [given, setGiven] = useState(NOTHING);
  const [late, setLate] = useState("");
  const latest = useLatest();
  const wanted = question.trim() ? JSON.stringify([question, filters, agentName.value]) : "";
  // In the same breath as the key: an effect that waits for the next frame would ask some thirty milliseconds later.
  useLayoutEffect(() => {
    if (!wanted) {
      setGiven(NOTHING);
      return;
    }
    const body = { query: question, max_results: MOST_HITS, explain: true, ...filters };
    const put = (results: Results): void => setGiven({ results, failure: "", wanted });
    void latest.ask((signal) => call("POST /search", { body, signal }), put, (error) => setGiven((before) => ({ ...before, failure: sentenceOf(error) })));
    const waits = setTimeout(() => setLate(wanted), LATE);
    return () => {
      latest.drop();
      clearTimeout(waits);
    };
  }, [wanted]);
  const isStale = given.wanted !== wanted;
  return { results: given.results, failure: given.failure, isStale, isLate: isStale && late === wanted };
}
