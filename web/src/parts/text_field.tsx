// A field whose text counts when it is left or Enter is pressed, or as one types: what is half typed stays, whatever is
// drawn meanwhile.
import type { JSX } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import { T } from "../texts.ts";
import { useTyped } from "./typed.ts";

/** The text of a field, and how it changes; when another is given from outside, that counts. */
export function useHeldText(given: string): [string, (event: { currentTarget: { value: string } }) => void] {
  const [text, setText] = useState(given);
  useLayoutEffect(() => setText(given), [given]);
  return [text, (event) => setText(event.currentTarget.value)];
}

export function FilterText({ value, set }: { value: string; set: (text: string) => void }): JSX.Element {
  const [text, type] = useHeldText(value);
  return <input type="text" value={text} placeholder={T.search.any} spellcheck={false} onInput={type} onChange={(event) => set(event.currentTarget.value.trim())} />;
}

/** The same, but what is asked follows as one types. */
export function TypedFilter({ value, set }: { value: string; set: (text: string) => void }): JSX.Element {
  const { text, type, settle } = useTyped(value, (typed) => set(typed.trim()));
  return <input type="text" value={text} placeholder={T.search.any} spellcheck={false} onInput={(event) => type(event.currentTarget.value)} onChange={settle} />;
}

/** One text a line. */
export function LinesField({ value, set, ...rest }: { value: string[]; set: (lines: string[]) => void } & Omit<JSX.IntrinsicElements["textarea"], "value" | "ref">): JSX.Element {
  const [text, type] = useHeldText(value.join("\n"));
  return <textarea {...rest} spellcheck={false} value={text} onInput={type} onChange={(event) => set(event.currentTarget.value.split("\n").map((one) => one.trim()).filter(Boolean))} />;
}
