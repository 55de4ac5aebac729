// What was said, and the field in which one says more: the answer comes piece by piece and can be stopped.
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { addressOf, call, send, sentenceOf } from "../api.ts";
import { EventReader, piecesOf } from "../events.ts";
import { parseMarkdown } from "../markdown/parse.ts";
import { Markdown } from "../markdown/render.tsx";
import { useLatest, useLoad } from "../load.ts";
import { Busy, Button, Empty, Failure, Go, NoteLink, Notice, OriginBadge, Text, When } from "../parts/basic.tsx";
import { agent } from "../router.ts";
import type { Message } from "../shapes.ts";
import { agentName, paths } from "../store.ts";
import { T } from "../texts.ts";
import { Composer } from "./session_composer.tsx";

const PAGE = 60; // messages at a time, which is also how many are drawn at first

interface Step { step: string; text: string }
interface Answering { message: string; steps: Step[]; text: string; failure: string; stop: AbortController }

export function Transcript({ sessionKey, hasModel, changed }: { sessionKey: string; hasModel: boolean; changed: () => void }): JSX.Element {
  const path = { key: sessionKey };
  const [older, setOlder] = useState<Message[]>([]);
  const [end, setEnd] = useState(false);
  const [failure, setFailure] = useState("");
  const [answering, setAnswering] = useState<Answering | null>(null);
  const bottom = useRef<HTMLDivElement>(null);
  const said = useLoad((signal) => call("GET /sessions/{key}/messages", { path, query: { limit: PAGE, silent: true }, signal }), [agentName.value, sessionKey], (event) => event.kind === "session" && event.session === sessionKey);
  const messages = joinedMessages(older, said.data?.messages ?? []);
  useEffect(() => bottom.current?.scrollIntoView({ block: "end" }), [said.data?.messages.length, answering?.text.length]);
  const latest = useLatest();
  const earlier = (): Promise<void> => latest.ask(
    (signal) => call("GET /sessions/{key}/messages", { path, query: { limit: PAGE, silent: true, before: messages[0]?.id }, signal }),
    (found) => {
      const known = new Set(messages.map((one) => one.id));
      const fresh = found.messages.filter((one) => !known.has(one.id));
      setOlder([...fresh, ...messages]);
      setEnd(fresh.length < PAGE);
    },
    (error) => setFailure(sentenceOf(error)),
  );
  const ask = async (message: string): Promise<void> => {
    const stop = new AbortController();
    let state: Answering = { message, steps: [], text: "", failure: "", stop };
    const show = (changes: Partial<Answering>): void => setAnswering((state = { ...state, ...changes }));
    show({});
    try {
      const address = addressOf("/sessions/{key}/turn", path, { agent: agent.value });
      const response = await send("POST", address, { body: { message }, headers: { Accept: "text/event-stream" }, signal: stop.signal });
      const reader = new EventReader();
      for await (const piece of piecesOf(response, stop)) {
        for (const event of reader.feed(piece)) {
          if (event.kind === "failed") throw new Error((event.error as { message: string } | undefined)?.message ?? T.error.unknown);
          if (event.kind !== "step") continue;
          if (event.step === "text") show({ text: state.text + String(event.text) });
          else show({ steps: [...state.steps, { step: String(event.step), text: String(event.text) }] });
        }
      }
      setAnswering(null);
    } catch (error) {
      show({ failure: stop.signal.aborted ? T.sessions.stopped : sentenceOf(error) });
    }
    said.reload();
    changed();
  };
  const halt = (): void => {
    void call("DELETE /sessions/{key}/turn", { path }).catch(() => {});
    answering?.stop.abort();
  };
  const busy = answering !== null && !answering.failure;
  return (
    <div class="chat">
      <Failure text={said.error || failure} again={said.reload} />
      <Busy when={said.busy && !said.data} />
      {messages.length >= PAGE && !end ? <p><Button onClick={() => void earlier()}>{T.sessions.earlier}</Button></p> : null}
      {said.data && !messages.length && !answering ? <Empty title={T.sessions.nothingSaid}><p>{hasModel ? T.sessions.nothingSaidAbout : T.sessions.nothingSaidAlone}</p></Empty> : null}
      <ol class="messages">
        {messages.map((message) => <MessageView key={message.id} message={message} />)}
        {answering ? (
          <>
            {messages.at(-1)?.text === answering.message ? null : <MessageView message={{ kind: "message", id: "asked", at: Date.now() / 1000, role: "user", text: answering.message }} />}
            <li class="message assistant" aria-busy={busy}>
              <div class="message-head"><span class="role">{T.sessions.roles.assistant}</span></div>
              {answering.steps.map((step, at) => <p key={at} class="quiet-line"><Text>{step.text}</Text></p>)}
              {answering.text ? <Said text={answering.text} /> : busy ? <p class="busy">{T.sessions.thinking}</p> : null}
              {answering.failure ? <Notice kind="warn"><p><Text>{answering.failure}</Text></p><Button onClick={() => void ask(answering.message)}>{T.again}</Button></Notice> : null}
            </li>
          </>
        ) : null}
      </ol>
      <div class="visually-hidden" aria-live="polite">{busy ? T.sessions.thinking : answering ? "" : (messages.at(-1)?.role === "assistant" ? messages.at(-1)?.text : "")}</div>
      {hasModel ? <Composer sessionKey={sessionKey} busy={busy} last={messages.filter((one) => one.role === "user").at(-1)?.text ?? ""} ask={(text) => void ask(text)} stop={halt} changed={() => (said.reload(), changed())} /> : (
        <Notice><p>{T.sessions.noModel} <Go to="/settings">{T.pages.settings.name}</Go></p></Notice>
      )}
      <div ref={bottom} />
    </div>
  );
}

/** What was loaded earlier, up to where the newest begin; where these do not meet, there would be a hole: the newest alone. */
export function joinedMessages(earlier: Message[], newest: Message[]): Message[] {
  const meets = earlier.findIndex((one) => one.id === newest[0]?.id);
  return meets < 0 ? newest : [...earlier.slice(0, meets), ...newest];
}

function Said({ text }: { text: string }): JSX.Element {
  return <Markdown blocks={parseMarkdown(text)} reading={{ base: "", paths: paths.value, runs: [], marked: null }} />;
}

const SOURCE = /\[Source: ([^\]#\n]+\.md)#(\d+)\]/g;

/** The notes that a recalled text came from, each once. */
export function sourcesIn(text: string): Array<{ path: string; line: number }> {
  const found = new Map<string, { path: string; line: number }>();
  for (const match of text.matchAll(SOURCE)) found.set(match[0], { path: match[1]!, line: Number(match[2]) });
  return [...found.values()];
}

/** A flush, a compaction and a recall are silent: a line in the transcript that can be opened, not a message. */
function QuietLine({ message, what, children }: { message: Message; what: string; children?: ComponentChildren }): JSX.Element {
  return <li class="quiet-line"><details><summary><When at={message.at} /> {what}</summary><pre tabIndex={0}><Text>{message.text ?? ""}</Text></pre></details>{children}</li>;
}

function MessageView({ message }: { message: Message }): JSX.Element {
  const tags = message.tags ?? [];
  const text = message.text ?? "";
  if (tags.includes("recalled")) return <QuietLine message={message} what={T.sessions.recalled}>{sourcesIn(text).map((one) => <span key={`${one.path}${one.line}`} class="chip"><NoteLink path={one.path} line={one.line} /></span>)}</QuietLine>;
  if (tags.includes("flush")) return <QuietLine message={message} what={T.sessions.flushed}>{(text.match(/(?:memory\/[^\s,]+|MEMORY)\.md/g) ?? []).map((path) => <span key={path} class="chip"><NoteLink path={path} /></span>)}</QuietLine>;
  if (tags.includes("summary")) return <QuietLine message={message} what={T.sessions.summary} />;
  if (message.role === "tool") return <li class="message tool"><details><summary>{T.sessions.tool(message.tool_name ?? "")}{message.failed ? <span class="bad-mark"> {T.sessions.failed}</span> : null}</summary><pre tabIndex={0}><Text>{text}</Text></pre></details></li>;
  const own = message.role === "assistant" ? "agent" : message.role;
  return (
    <li class={`message ${message.role}`}>
      <div class="message-head"><span class="role">{T.sessions.roles[message.role as keyof typeof T.sessions.roles] ?? message.role}</span>{message.origin && message.origin !== own ? <OriginBadge origin={message.origin} /> : null}{tags.includes("cut") ? <span class="chip waits">{T.sessions.wasCut}</span> : null}<span class="muted"><When at={message.at} /></span></div>
      {text ? <Said text={text} /> : null}
      {message.tool_calls?.map((one) => <details key={one.id}><summary>{T.sessions.called(one.name)}</summary><pre tabIndex={0}><Text>{JSON.stringify(one.arguments, null, 1)}</Text></pre></details>)}
    </li>
  );
}
