// A hook that loads what a page shows, and loads it again when something happens that concerns it.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { sentenceOf } from "./api.ts";
import { type Happening, listen } from "./events.ts";
import { agentName } from "./store.ts";

export interface Loaded<T> { data: T | null; error: string; busy: boolean; reload: () => void; set: (data: T) => void }

const TOGETHER = 80; // milliseconds; several writes of one import are one reload

export function useLoad<T>(
  load: (signal: AbortSignal) => Promise<T>,
  inputs: readonly unknown[],
  concerns: (event: Happening) => boolean = () => false,
): Loaded<T> {
  const [state, setState] = useState<{ data: T | null; error: string; busy: boolean }>({ data: null, error: "", busy: true });
  const [round, setRound] = useState(0);
  const reload = useCallback(() => setRound((before) => before + 1), []);
  const concern = useRef(concerns);
  concern.current = concerns;
  const key = useRef("");
  useEffect(() => {
    const stop = new AbortController();
    const wanted = JSON.stringify(inputs);
    const fresh = key.current !== wanted;
    key.current = wanted;
    setState((before) => ({ data: fresh ? null : before.data, error: "", busy: true }));
    load(stop.signal).then(
      (data) => stop.signal.aborted || setState({ data, error: "", busy: false }),
      (error: unknown) => stop.signal.aborted || setState((before) => ({ ...before, error: sentenceOf(error), busy: false })),
    );
    return () => stop.abort();
  }, [...inputs, round]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const off = listen((event) => {
      const ours = !event.agent || event.agent === agentName.value;
      if (event.kind !== "missed" && !(ours && concern.current(event))) return;
      clearTimeout(timer);
      timer = setTimeout(reload, TOGETHER);
    });
    return () => {
      clearTimeout(timer);
      off();
    };
  }, []);
  return { ...state, reload, set: (data) => setState({ data, error: "", busy: false }) };
}

export const onKinds = (...kinds: string[]) => (event: Happening): boolean => kinds.includes(event.kind);
