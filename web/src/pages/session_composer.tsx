// The field in which one talks: Enter sends, Shift-Enter goes to the next line, Up brings back the last, `/` commands.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { Button } from "../parts/basic.tsx";
import { helpOpen } from "../parts/help.tsx";
import { sayFailure, sayWritten } from "../parts/toast.tsx";
import { go } from "../router.ts";
import { T } from "../texts.ts";
import { beginNew, refreshPrompt, resetSession } from "./session_toolbar.tsx";
import { sessionAddress } from "./sessions.tsx";

type CommandName = keyof typeof T.slash;

interface ComposerProps { sessionKey: string; busy: boolean; last: string; ask: (text: string) => void; stop: () => void; changed: () => void }

export function Composer({ sessionKey, busy, last, ask, stop, changed }: ComposerProps): JSX.Element {
  const [text, setText] = useState("");
  const [active, setActive] = useState(0);
  const typed = /^\/([a-z]*)$/.exec(text);
  const menu = typed ? (Object.keys(T.slash) as CommandName[]).filter((name) => name.startsWith(typed[1]!)) : [];
  const run = async (name: CommandName, rest: string): Promise<void> => {
    setText("");
    switch (name) {
      case "new": return beginNew(sessionKey, rest || undefined);
      case "reset": return resetSession(sessionKey, changed);
      case "context": return go(sessionAddress(sessionKey, "context"));
      case "refresh": return refreshPrompt(sessionKey, changed);
      case "memory": return go(rest ? `/search?q=${encodeURIComponent(rest)}` : "/history");
      case "forget": return go("/forget");
      case "undo": {
        try {
          const made = await call("POST /undo", { body: rest ? { path: rest } : {} });
          sayWritten(T.undone, made.checkpointIds ?? [made.checkpointId]);
        } catch (error) {
          sayFailure(error);
        }
        return;
      }
      case "help": helpOpen.value = true; return;
      case "quit": return go("/sessions");
    }
  };
  const submit = (): void => {
    const command = /^\/([a-z]+)(?:\s+([^]*))?$/.exec(text.trim());
    if (command && command[1]! in T.slash) void run(command[1] as CommandName, command[2]?.trim() ?? "");
    else if (text.trim() && !busy) {
      ask(text.trim());
      setText("");
    }
  };
  const key = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    if (menu.length && (event.key === "ArrowDown" || event.key === "ArrowUp")) setActive((active + (event.key === "ArrowDown" ? 1 : menu.length - 1)) % menu.length);
    else if (menu.length && (event.key === "Tab" || event.key === "Enter")) void run(menu[active] ?? menu[0]!, "");
    else if (event.key === "Enter" && !event.shiftKey) submit();
    else if (event.key === "ArrowUp" && !text) setText(last);
    else if (event.key === "Escape" && busy) stop();
    else return;
    event.preventDefault();
  };
  return (
    <div class="composer">
      {menu.length ? (
        <ul class="slash" role="listbox" id="slash" aria-label={T.sessions.commands}>
          {menu.map((name, at) => <li key={name} id={`slash-${name}`} role="option" aria-selected={at === active} onMouseDown={(event) => (event.preventDefault(), void run(name, ""))}><code>/{name}</code> <span class="muted">{T.slash[name]}</span></li>)}
        </ul>
      ) : null}
      <textarea rows={2} value={text} placeholder={T.sessions.say} aria-label={T.sessions.say} aria-controls={menu.length ? "slash" : undefined} aria-activedescendant={menu.length ? `slash-${menu[active] ?? menu[0]}` : undefined} onInput={(event) => (setText(event.currentTarget.value), setActive(0))} onKeyDown={key} />
      {busy ? <Button icon="stop" onClick={stop}>{T.stop}</Button> : <Button kind="main" disabled={!text.trim()} onClick={submit}>{T.sessions.send}</Button>}
    </div>
  );
}
