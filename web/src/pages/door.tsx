// Coming in: the one-time link, and what is said to whom has none.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { call, enter, entry, sentenceOf } from "../api.ts";
import { Button, useTitle } from "../parts/basic.tsx";
import { go, place } from "../router.ts";
import { T } from "../texts.ts";

const COMMAND = "holdfast ui";
const LOOK_EVERY = 3000; // milliseconds; another tab may have come in by then

/** `/enter#CODE`: the code is burnt by a POST of this page, so that no preview and no log of addresses can use it. */
export function Entering(): JSX.Element {
  const [failure, setFailure] = useState("");
  useTitle(T.door.entering);
  const { hash } = place.value; // a second link in the same tab changes only this
  useEffect(() => {
    setFailure("");
    const code = location.hash.slice(1);
    history.replaceState(null, "", "/enter");
    if (!code) {
      if (!hash) go("/", { replace: true });
      return;
    }
    enter(code).then(() => go("/", { replace: true }), (error: unknown) => setFailure(sentenceOf(error)));
  }, [hash]);
  return failure ? <Lost because={failure} /> : <main class="lost"><h1>{T.door.entering}</h1></main>;
}

export function Lost({ because = "" }: { because?: string }): JSX.Element {
  const [copied, setCopied] = useState(false);
  useTitle(T.door.title);
  useEffect(() => {
    const look = setInterval(() => {
      call("GET /whoami").then(() => {
        entry.value = "in";
        if (location.pathname === "/enter") go("/", { replace: true });
      }, () => {});
    }, LOOK_EVERY);
    return () => clearInterval(look);
  }, []);
  const copy = (): void => void navigator.clipboard?.writeText(COMMAND).then(() => setCopied(true));
  return (
    <main class="lost">
      <h1>{T.door.title}</h1>
      {because ? <p role="alert">{because}</p> : null}
      <p>{T.door.about}</p>
      <p class="command"><code>{COMMAND}</code><Button icon="copy" onClick={copy}>{copied ? T.copied : T.copy}</Button></p>
      <p class="muted">{T.door.waits}</p>
    </main>
  );
}
