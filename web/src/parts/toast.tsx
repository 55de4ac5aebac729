// What was just done, said aloud, with the way back: ten seconds on the screen, and `u` for as long as the page is open.
import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { call, sentenceOf } from "../api.ts";
import { wrote } from "../events.ts";
import { T } from "../texts.ts";
import { Button, Go, Text } from "./basic.tsx";

interface Said { id: number; text: string; bad: boolean; label: string; undo: (() => Promise<void>) | null; link?: { to: string; text: string } }

const SHOWN = 10_000; // milliseconds
const current = signal<Said | null>(null);
const announced = signal("");
const lastUndo = signal<(() => Promise<void>) | null>(null);
let count = 0;

export function say(text: string, options: { undo?: () => Promise<void>; label?: string; bad?: boolean; link?: { to: string; text: string } } = {}): void {
  current.value = { id: ++count, text, bad: options.bad ?? false, label: options.label ?? T.undo, undo: options.undo ?? null, link: options.link };
  announced.value = text;
  if (!options.undo) return;
  lastUndo.value = options.undo;
  wrote();
}

export function sayFailure(error: unknown): void {
  say(sentenceOf(error), { bad: true });
}

/** A write was made: say so, and offer to take back just these checkpoints. */
export function sayWritten(text: string, checkpointIds: ReadonlyArray<string | null | undefined>, link?: { to: string; text: string }): void {
  const ids = checkpointIds.filter((id): id is string => Boolean(id));
  if (ids.length) sayBackAndForth(text, ids, takeBack, link);
  else say(text, { link });
}

/** Say it, and offer Undo, then Redo, and so on: `back` takes back what `made` names, and names what takes that back. */
export function sayBackAndForth<Made>(text: string, made: Made, back: (made: Made) => Promise<Made>, link?: { to: string; text: string }, label: string = T.undo): void {
  const isUndo = label === T.undo;
  const undo = async (): Promise<void> => sayBackAndForth(isUndo ? T.undone : T.redone, await back(made), back, undefined, isUndo ? T.redo : T.undo);
  say(text, { label, link, undo });
}

/** Take changes out of their notes, and keep what came later; what undoes that in turn. */
export async function takeBack(ids: string[]): Promise<string[]> {
  const made = await call("POST /undo", { body: { checkpoint_ids: ids, keep_later: true } });
  return (made.checkpointIds ?? [made.checkpointId]).filter((id): id is string => Boolean(id));
}

/** Do so, and offer Redo. */
export async function undoChanges(ids: string[]): Promise<void> {
  sayBackAndForth(T.undone, await takeBack(ids), takeBack, undefined, T.redo);
}

export async function undoLast(): Promise<void> {
  const undo = lastUndo.value;
  if (!undo) {
    say(T.nothingToUndo);
    return;
  }
  lastUndo.value = null;
  await run(undo);
}

async function run(undo: () => Promise<void>): Promise<void> {
  current.value = null;
  try {
    await undo();
  } catch (error) {
    sayFailure(error);
  }
}

export function Toast(): JSX.Element {
  const said = current.value;
  useEffect(() => {
    if (!said) return;
    const timer = setTimeout(() => {
      if (current.value?.id === said.id) current.value = null;
    }, SHOWN);
    return () => clearTimeout(timer);
  }, [said?.id]);
  return (
    <>
      <div class="visually-hidden" aria-live="polite">{announced.value}</div>
      {said ? (
        <section class={said.bad ? "toast bad" : "toast"} key={said.id} aria-label={T.message}>
          <span><Text>{said.text}</Text></span>
          {said.link ? <Go to={said.link.to}>{said.link.text}</Go> : null}
          {said.undo ? <Button kind="quiet" onClick={() => run(said.undo!)}>{said.label}</Button> : null}
          <Button kind="quiet" icon="close" aria-label={T.close} onClick={() => (current.value = null)} />
        </section>
      ) : null}
    </>
  );
}
