// What stands in the field of a page, at once; its address follows when one stops typing, because each change of an
// address costs the browser as much as a request.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

const PAUSE = 250; // milliseconds

export interface Typed { text: string; type: (text: string) => void; settle: () => void }

/** `given` is what the address says, `follow` puts a text there; `settle` does so now, before the page is left. */
export function useTyped(given: string, follow: (text: string) => void): Typed {
  const [text, setText] = useState(given);
  const waits = useRef<ReturnType<typeof setTimeout> | null>(null);
  const latest = useRef({ text, follow });
  latest.current = { text, follow };
  const drop = (): void => {
    if (waits.current !== null) clearTimeout(waits.current);
    waits.current = null;
  };
  const settle = (): void => {
    if (waits.current === null) return;
    drop();
    latest.current.follow(latest.current.text);
  };
  const type = (next: string): void => {
    drop();
    setText(next);
    latest.current.text = next; // a key may come before the page is drawn again
    waits.current = setTimeout(settle, PAUSE);
  };
  // Somebody went to another question: by a link, or back.
  useLayoutEffect(() => {
    drop();
    setText((before) => (before.trim() === given ? before : given)); // a blank that was typed last is no other text
  }, [given]);
  useEffect(() => drop, []);
  return { text, type, settle };
}
