// A hook that loads what a page shows, and loads it again when something happens that concerns it.
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { sentenceOf } from "./api.ts";
import { type Happening, listen } from "./events.ts";
import { Latest } from "./latest.ts";
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
  const latest = useLatest();
  useEffect(() => {
    const wanted = JSON.stringify(inputs);
    const fresh = key.current !== wanted;
    key.current = wanted;
    setState((before) => ({ data: fresh ? null : before.data, error: "", busy: true }));
    const put = (data: T): void => setState({ data, error: "", busy: false });
    void latest.ask(load, put, (error) => setState((before) => ({ ...before, error: sentenceOf(error), busy: false })));
    return () => latest.drop();
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
  const set = (data: T): void => {
    latest.drop();
    setState({ data, error: "", busy: false });
  };
  return { ...state, reload, set };
}

export interface Attempts { busy: boolean; failure: string; setFailure: (text: string) => void; attempt: (work: () => Promise<void>) => Promise<void> }

/** What somebody set going: whether it is under way, and why it failed, unless that is told elsewhere (`tell`). */
export function useAttempts(tell?: (error: unknown) => void): Attempts {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState("");
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setFailure("");
    try {
      await work();
    } catch (error) {
      (tell ?? ((one) => setFailure(sentenceOf(one))))(error);
    } finally {
      setBusy(false);
    }
  };
  return { busy, failure, setFailure, attempt };
}

/** Questions of a part of a page: those of a part that is gone no longer count. */
export function useLatest(): Latest {
  const latest = useMemo(() => new Latest(), []);
  useEffect(() => () => latest.drop(), []);
  return latest;
}

export interface More<Row, Mark> { rows: Row[]; next: Mark | null; error: string; load: () => void }

/** The pages of a list behind its first: asked for one by one, and gone when the first is loaded anew. */
export function useMore<Row, Mark>(first: object | null, begin: Mark | null, ask: (mark: Mark, signal: AbortSignal) => Promise<{ rows: Row[]; next: Mark | null }>): More<Row, Mark> {
  const [state, setState] = useState<{ first: object | null; rows: Row[]; next: Mark | null; error: string }>({ first: null, rows: [], next: null, error: "" });
  const latest = useLatest();
  // What was loaded behind another first page is not shown for a moment, either.
  const held = state.first === first ? state : { first, rows: [], next: begin, error: "" };
  useEffect(() => latest.drop(), [first]);
  const load = (): void => {
    const mark = held.next;
    if (mark === null) return;
    const put = (page: { rows: Row[]; next: Mark | null }): void => setState({ first, rows: [...held.rows, ...page.rows], next: page.next, error: "" });
    void latest.ask((signal) => ask(mark, signal), put, (error) => setState({ ...held, error: sentenceOf(error) }));
  };
  return { rows: held.rows, next: held.next, error: held.error, load };
}

export const onKinds = (...kinds: string[]) => (event: Happening): boolean => kinds.includes(event.kind);
