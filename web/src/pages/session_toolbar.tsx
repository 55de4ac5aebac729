// Above a conversation: model, style, the prompt-memory mode with Refresh, recall, how full the window is, New and Reset.
import type { JSX } from "preact";
import { call } from "../api.ts";
import { Button, Go, Text, When } from "../parts/basic.tsx";
import { say, sayFailure } from "../parts/toast.tsx";
import { go, noteAddress } from "../router.ts";
import type { ContextView } from "../shapes.ts";
import { agentName } from "../store.ts";
import { T } from "../texts.ts";
import { sessionAddress } from "./sessions.tsx";

interface ExportedAnswer { exported: { path?: string; checkpointId?: string | null } | null; session?: string }

/** Say what became of a conversation; Undo goes back to it, and takes back the note that was made of it. */
function sayExported(made: ExportedAnswer, otherwise: string, back: () => Promise<void>): void {
  const { path, checkpointId } = made.exported ?? {};
  const undo = async (): Promise<void> => {
    await back();
    if (checkpointId) await call("POST /undo", { body: { checkpoint_ids: [checkpointId] } });
    say(T.undone);
  };
  if (path) say(T.sessions.keptAs(path), { undo, link: { to: noteAddress(path), text: T.history.openNote } });
  else say(otherwise, { undo });
}

export async function refreshPrompt(sessionKey: string, reload: () => void): Promise<void> {
  try {
    await call("POST /sessions/{key}/refresh", { path: { key: sessionKey } });
    reload();
    say(T.sessions.refreshed);
  } catch (error) {
    sayFailure(error);
  }
}

export async function beginNew(sessionKey: string, key?: string): Promise<void> {
  try {
    const made = (await call("POST /sessions/{key}/new", { path: { key: sessionKey }, body: key ? { new_key: key } : {} })) as unknown as ExportedAnswer;
    go(sessionAddress(String(made.session ?? "main")));
    sayExported(made, T.sessions.begun, async () => go(sessionAddress(sessionKey)));
  } catch (error) {
    sayFailure(error);
  }
}

export async function resetSession(sessionKey: string, reload: () => void): Promise<void> {
  try {
    const path = { key: sessionKey };
    const made = (await call("POST /sessions/{key}/reset", { path })) as unknown as ExportedAnswer;
    reload();
    sayExported(made, T.sessions.wasReset, async () => {
      await call("POST /sessions/{key}/reset/undo", { path });
      reload();
    });
  } catch (error) {
    sayFailure(error);
  }
}

export function Toolbar({ sessionKey, view, reload, exclude }: { sessionKey: string; view: ContextView | null; reload: () => void; exclude: () => void }): JSX.Element {
  return (
    <div class="toolbar" role="group" aria-label={T.sessions.toolbar}>
      <span class="tool"><span class="muted">{T.agent}</span> {agentName.value}</span>
      {view ? (
        <>
          <span class="tool"><span class="muted">{T.status.model}</span> <Text>{view.model ?? T.settings.nothing}</Text></span>
          <span class="tool"><span class="muted">{T.sessions.style}</span> {T.settings.choices[view.style as keyof typeof T.settings.choices] ?? view.style}</span>
          <span class="tool prompt-memory"><span class="muted">{T.sessions.promptMemory}</span> {view.frozen ? T.sessions.frozen : T.sessions.live}{view.frozen && view.frozen_at ? <span class="muted">{T.sessions.since} <When at={view.frozen_at} /></span> : null}{view.frozen ? <Button kind="quiet" onClick={() => void refreshPrompt(sessionKey, reload)}>{T.sessions.refresh}</Button> : null}</span>
          <span class="tool"><span class="muted">{T.sessions.recall}</span> {view.recall ? T.sessions.on : T.sessions.off}</span>
          <Go to={sessionAddress(sessionKey, "context")} class="tool ring-link"><Ring share={view.window ? view.sent / view.window : 0} /> {T.sessions.window(view.window ? Math.round((100 * view.sent) / view.window) : 0)}</Go>
        </>
      ) : null}
      <span class="toolbar-actions">
        <Button onClick={() => void beginNew(sessionKey)}>{T.sessions.new}</Button>
        <Button onClick={() => void resetSession(sessionKey, reload)}>{T.sessions.reset}</Button>
        <Button kind="quiet" onClick={exclude}>{T.sessions.exclude}</Button>
      </span>
    </div>
  );
}

/** How full the window is. */
function Ring({ share }: { share: number }): JSX.Element {
  const round = 2 * Math.PI * 6;
  return (
    <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
      <circle cx="8" cy="8" r="6" class="ring-back" />
      <circle cx="8" cy="8" r="6" class="ring-full" stroke-dasharray={`${Math.min(1, share) * round} ${round}`} transform="rotate(-90 8 8)" />
    </svg>
  );
}
