// A component that is a part of its own, loaded when it is first shown.
import type { FunctionComponent, JSX } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import { sentenceOf } from "../api.ts";
import { Busy, Failure } from "./basic.tsx";

export type Later<Props> = FunctionComponent<Props> & { load: () => Promise<void> };

export function later<Props extends object>(fetch: () => Promise<FunctionComponent<Props>>): Later<Props> {
  let loaded: FunctionComponent<Props> | null = null;
  const load = async (): Promise<void> => {
    loaded ??= await fetch();
  };
  function Shown(props: Props): JSX.Element {
    const [error, setError] = useState("");
    const [, setReady] = useState(loaded !== null); // somebody else may load it before the effect below
    useLayoutEffect(() => {
      load().then(() => setReady(true), (failure: unknown) => setError(sentenceOf(failure)));
    }, []);
    const Inner = loaded;
    if (Inner) return <Inner {...props} />;
    return <div class="page"><Busy when={!error} /><Failure text={error} again={() => location.reload()} /></div>;
  }
  return Object.assign(Shown, { load });
}
