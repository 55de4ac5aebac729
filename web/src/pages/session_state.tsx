// The state of a session: values that agents keep by namespace and name; none of it is in the prompt by itself.
import type { JSX } from "preact";
import { call } from "../api.ts";
import { onKinds, useLoad } from "../load.ts";
import { Busy, Button, Empty, Failure, Text, When } from "../parts/basic.tsx";
import { say, sayFailure } from "../parts/toast.tsx";
import { agentName } from "../store.ts";
import { T } from "../texts.ts";

export function StateSide({ sessionKey }: { sessionKey: string }): JSX.Element {
  const state = useLoad((signal) => call("GET /sessions/{key}/state", { path: { key: sessionKey }, signal }), [agentName.value, sessionKey], onKinds("session"));
  const values = state.data?.values ?? [];
  const remove = async (namespace: string, name: string, value: unknown): Promise<void> => {
    const path = { key: sessionKey, namespace, name };
    try {
      await call("DELETE /sessions/{key}/state/{namespace}/{name}", { path });
      state.reload();
      say(T.state.removed(name), { undo: async () => {
        await call("PUT /sessions/{key}/state/{namespace}/{name}", { path, body: { value } as never });
        state.reload();
        say(T.undone);
      } });
    } catch (error) {
      sayFailure(error);
    }
  };
  return (
    <section aria-labelledby="state">
      <h2 id="state">{T.sessions.side.state}</h2>
      <p class="muted">{T.state.about}</p>
      <Failure text={state.error} again={state.reload} />
      <Busy when={state.busy && !state.data} />
      {state.data && !values.length ? <Empty title={T.state.none} /> : null}
      {values.length ? (
        <table class="rows stacked">
          <thead><tr><th scope="col">{T.state.namespace}</th><th scope="col">{T.state.name}</th><th scope="col">{T.state.value}</th><th scope="col">{T.note.modified}</th><th scope="col"><span class="visually-hidden">{T.state.remove}</span></th></tr></thead>
          <tbody>{values.map((one) => <tr key={`${one.namespace} ${one.key}`}><td><Text>{one.namespace}</Text></td><td><Text>{one.key}</Text></td><td class="whole"><code><Text>{JSON.stringify(one.value)}</Text></code></td><td class="muted when"><When at={one.updated} /></td><td class="align-right"><Button kind="quiet" onClick={() => void remove(one.namespace, one.key, one.value)}>{T.state.remove}</Button></td></tr>)}</tbody>
        </table>
      ) : null}
    </section>
  );
}
