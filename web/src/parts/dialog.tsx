// A native dialog: the browser keeps the focus inside, and Escape closes it.
import type { ComponentChildren, JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

export function Dialog({ label, close, children, kind = "" }: { label: string; close: () => void; children: ComponentChildren; kind?: string }): JSX.Element {
  const ref = useRef<HTMLDialogElement>(null);
  // Before the next key comes: what one types after Ctrl-K belongs to the dialog.
  useLayoutEffect(() => {
    const dialog = ref.current!;
    const back = document.activeElement as HTMLElement | null;
    dialog.showModal();
    return () => {
      dialog.close();
      back?.focus?.();
    };
  }, []);
  return (
    <dialog ref={ref} class={`dialog ${kind}`} aria-label={label} onCancel={(event) => (event.preventDefault(), close())} onClick={(event) => event.target === ref.current && close()}>
      {children}
    </dialog>
  );
}
