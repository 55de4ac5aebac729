// The context view: what the model is sent, as one bar of its window, as a table, and word for word.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Loaded } from "../load.ts";
import { Busy, Button, Failure, Text } from "../parts/basic.tsx";
import { say } from "../parts/toast.tsx";
import type { ContextPart, ContextView } from "../shapes.ts";
import { T } from "../texts.ts";
import { refreshPrompt } from "./session_toolbar.tsx";

export function ContextSide({ loaded, sessionKey }: { loaded: Loaded<ContextView>; sessionKey: string }): JSX.Element {
  const view = loaded.data;
  if (!view) return <><Failure text={loaded.error} again={loaded.reload} /><Busy when={loaded.busy} /></>;
  const jsonl = (): string => view.parts.map((part) => JSON.stringify({ name: part.name, kind: part.kind, text: part.text })).join("\n") + "\n";
  const download = (): void => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([jsonl()], { type: "application/x-ndjson" }));
    link.download = `context-${sessionKey.replace(/[^\w-]+/g, "-")}.jsonl`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  };
  const copy = (): void => void navigator.clipboard?.writeText(view.parts.map((part) => part.text).join("\n\n")).then(() => say(T.copied));
  return (
    <>
      <section aria-labelledby="window">
        <h2 id="window">{T.context.window(view.sent, view.window)}</h2>
        <WindowBar view={view} />
        <p class="muted">{T.context.flush(view.flush_at, view.cycle)} {T.context.mode[view.frozen ? "frozen" : "live"]} {view.frozen ? <Button kind="quiet" onClick={() => void refreshPrompt(sessionKey, loaded.reload)}>{T.sessions.refresh}</Button> : null}</p>
        {view.because ? <p class="notice warn"><Text>{view.because}</Text></p> : null}
        {view.sandbox ? <p class="notice warn"><Text>{view.sandbox}</Text></p> : null}
      </section>
      <section aria-labelledby="parts">
        <h2 id="parts">{T.context.parts}</h2>
        <table class="rows">
          <thead><tr><th scope="col">{T.context.part}</th><th scope="col" class="align-right">{T.context.characters}</th><th scope="col" class="align-right">{T.context.tokens}</th><th scope="col">{T.context.source}</th></tr></thead>
          <tbody>
            {view.parts.map((part) => <tr key={part.name}><td><span class={`dot part-${part.kind}`} /><Text>{part.name}</Text></td><td class="align-right">{part.characters.toLocaleString()}</td><td class="align-right">{part.tokens.toLocaleString()}</td><td class="muted"><Text>{part.source}</Text>{part.truncated ? <span class="chip waits">{T.context.cut}</span> : null}</td></tr>)}
            <tr class="total"><th scope="row">{T.search.sum}</th><td /><td class="align-right">{view.sent.toLocaleString()}</td><td /></tr>
          </tbody>
        </table>
        <p class="muted">{view.spent.requests ? T.context.spent(view.spent.requests, view.spent.input_tokens, view.spent.output_tokens, view.spent.cost) : T.context.noneSpent}</p>
      </section>
      <section aria-labelledby="words">
        <h2 id="words">{T.context.words} <Button kind="quiet" icon="copy" onClick={copy}>{T.copy}</Button><Button kind="quiet" onClick={download}>{T.context.download}</Button></h2>
        {view.parts.map((part) => <PartText key={part.name} part={part} />)}
      </section>
    </>
  );
}

function PartText({ part }: { part: ContextPart }): JSX.Element {
  const [open, setOpen] = useState(part.kind === "block");
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)} class="part-text">
      <summary><span class={`dot part-${part.kind}`} /><Text>{part.name}</Text> <span class="muted">{T.settings.tokens(part.tokens)}</span></summary>
      {open ? <pre tabIndex={0}><Text>{part.text}</Text></pre> : null}
    </details>
  );
}

/** One bar: each part, what is free, the reserve, and a mark where the conversation is shortened. */
function WindowBar({ view }: { view: ContextView }): JSX.Element {
  const whole = Math.max(view.window, view.sent, 1);
  const share = (tokens: number): number => (tokens / whole) * 100;
  let at = 0;
  const said = view.parts.map((part) => `${part.name} ${part.tokens}`).join(", ");
  return (
    <svg class="window-bar" viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label={T.context.barLabel(said, Math.max(0, view.window - view.sent))}>
      <rect width="100" height="10" class="bar-back" />
      <rect x={100 - share(view.reserve)} width={share(view.reserve)} height="10" class="part-reserve" />
      {view.parts.map((part) => {
        const made = <rect key={part.name} x={at} width={Math.max(0.2, share(part.tokens) - 0.15)} height="10" class={`part-${part.kind}`}><title>{`${part.name}: ${part.tokens}`}</title></rect>;
        at += share(part.tokens);
        return made;
      })}
      <rect x={share(view.flush_at)} width="0.3" height="10" class="part-limit"><title>{T.context.limit}</title></rect>
    </svg>
  );
}
