// Sessions: the list of conversations, and one of them with its three sides: transcript, context, state.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { onKinds, useLoad } from "../load.ts";
import { Busy, Button, bytesOf, Empty, Failure, Go, Page, Text, When } from "../parts/basic.tsx";
import { say, sayFailure } from "../parts/toast.tsx";
import { go } from "../router.ts";
import { agentName } from "../store.ts";
import { T } from "../texts.ts";
import { ContextSide } from "./session_context.tsx";
import { StateSide } from "./session_state.tsx";
import { Toolbar } from "./session_toolbar.tsx";
import { Transcript } from "./session_transcript.tsx";

const SIDES = ["transcript", "context", "state"] as const;
export const sessionAddress = (key: string, side = ""): string => `/sessions/${encodeURIComponent(key)}${side ? `/${side}` : ""}`;

export function Sessions({ path }: { path: string }): JSX.Element {
  const [, , raw = "", side = ""] = path.split("/");
  if (!raw) return <SessionList />;
  let key = raw;
  try {
    key = decodeURIComponent(raw);
  } catch {
    // An address that somebody cut: the server says that there is no such session.
  }
  return <SessionPage sessionKey={key} side={side || "transcript"} key={key} />;
}

function SessionList(): JSX.Element {
  const [find, setFind] = useState("");
  const [fresh, setFresh] = useState("");
  const sessions = useLoad((signal) => call("GET /sessions", { signal }), [agentName.value], onKinds("session", "write"));
  const all = sessions.data?.sessions ?? [];
  const shown = all.filter((one) => `${one.key} ${one.kind} ${one.channel}`.toLowerCase().includes(find.toLowerCase()));
  return (
    <Page title={T.pages.sessions.name} lead={T.sessions.about} actions={
      <form class="inline-form" onSubmit={(event) => (event.preventDefault(), fresh.trim() && go(sessionAddress(fresh.trim())))}>
        <input type="text" value={fresh} placeholder={T.sessions.newKey} aria-label={T.sessions.newKey} spellcheck={false} onInput={(event) => setFresh(event.currentTarget.value)} />
        <Button type="submit" icon="plus" disabled={!fresh.trim()}>{T.sessions.begin}</Button>
      </form>
    }>
      <Failure text={sessions.error} again={sessions.reload} />
      <Busy when={sessions.busy && !sessions.data} />
      {all.length > 8 ? <input type="search" value={find} placeholder={T.sessions.find} aria-label={T.sessions.find} onInput={(event) => setFind(event.currentTarget.value)} /> : null}
      {sessions.data && !all.length ? <Empty title={T.sessions.none}><p>{T.sessions.noneAbout}</p></Empty> : null}
      {shown.length ? (
        <table class="rows">
          <thead><tr><th scope="col">{T.sessions.session}</th><th scope="col">{T.sessions.kind}</th><th scope="col" class="align-right">{T.note.size}</th><th scope="col">{T.sessions.last}</th></tr></thead>
          <tbody>
            {shown.map((one) => (
              <tr key={one.key}>
                <td><Go to={sessionAddress(one.key)}><Text>{one.key}</Text></Go>{one.excluded ? <span class="chip">{T.sessions.excluded}</span> : null}</td>
                <td>{T.sessions.kinds[one.kind as keyof typeof T.sessions.kinds] ?? one.kind}{one.channel ? <span class="muted"> <Text>{one.channel}</Text></span> : null}</td>
                <td class="align-right">{bytesOf(one.bytes)}</td>
                <td class="muted when"><When at={one.last} /></td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : null}
    </Page>
  );
}

function SessionPage({ sessionKey, side }: { sessionKey: string; side: string }): JSX.Element {
  const view = useLoad((signal) => call("GET /sessions/{key}/context-view", { path: { key: sessionKey }, signal }), [agentName.value, sessionKey], onKinds("session", "settings", "write"));
  const exclude = async (excluded: boolean): Promise<void> => {
    try {
      await call("POST /sessions/{key}/exclude", { path: { key: sessionKey }, body: { excluded } });
      say(excluded ? T.sessions.nowExcluded : T.sessions.nowIncluded, { undo: () => exclude(!excluded) });
    } catch (error) {
      sayFailure(error);
    }
  };
  return (
    <Page title={sessionKey} wide>
      <p><Go to="/sessions">{T.sessions.all}</Go></p>
      <Toolbar sessionKey={sessionKey} view={view.data} reload={view.reload} exclude={() => void exclude(true)} />
      <nav class="tabs" aria-label={T.sessions.sides}>
        {SIDES.map((name) => <Go key={name} to={sessionAddress(sessionKey, name === "transcript" ? "" : name)} aria-current={side === name ? "page" : undefined}>{T.sessions.side[name]}</Go>)}
      </nav>
      {side === "context" ? <ContextSide loaded={view} sessionKey={sessionKey} /> : side === "state" ? <StateSide sessionKey={sessionKey} /> : <Transcript sessionKey={sessionKey} hasModel={view.data ? view.data.model !== null : true} changed={view.reload} />}
    </Page>
  );
}
