// A long list of which only what is in sight is drawn. It has the focus itself; the row that is meant is named by id.
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { scrollTo, windowOf } from "../virtual.ts";

export interface ListProps {
  count: number;
  rowHeight: number;
  active: number;
  onActive: (row: number) => void;
  onKey?: (event: KeyboardEvent, row: number) => boolean;
  row: (at: number, active: boolean) => JSX.Element;
  rowId: (at: number) => string;
  role: "tree" | "listbox";
  label: string;
}

export function VirtualList({ count, rowHeight, active, onActive, onKey, row, rowId, role, label }: ListProps): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(600);
  useLayoutEffect(() => {
    const element = box.current!;
    const measure = new ResizeObserver(() => setHeight(element.clientHeight));
    measure.observe(element);
    setHeight(element.clientHeight);
    return () => measure.disconnect();
  }, []);
  useEffect(() => {
    const element = box.current!;
    if (active >= 0 && active < count) element.scrollTop = scrollTo(active, rowHeight, element.scrollTop, element.clientHeight);
  }, [active, count]);
  const shown = windowOf(count, rowHeight, top, height);
  const move = (event: KeyboardEvent): void => {
    if (onKey?.(event, active)) {
      event.preventDefault();
      return;
    }
    const page = Math.max(1, Math.floor(height / rowHeight) - 1);
    const steps: Record<string, number> = { ArrowDown: active + 1, ArrowUp: active - 1, j: active + 1, k: active - 1, Home: 0, End: count - 1, PageDown: active + page, PageUp: active - page };
    const next = steps[event.key];
    if (next === undefined || event.ctrlKey || event.metaKey || !count) return;
    event.preventDefault();
    onActive(Math.max(0, Math.min(count - 1, next)));
  };
  const rows: JSX.Element[] = [];
  for (let at = shown.first; at < shown.last; at++) rows.push(row(at, at === active));
  return (
    <div
      ref={box} class="virtual" role={role} aria-label={label} tabIndex={0} onKeyDown={move}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
      aria-activedescendant={active >= shown.first && active < shown.last ? rowId(active) : undefined}
    >
      <div role="presentation" style={{ height: `${shown.before}px` }} />
      {rows}
      <div role="presentation" style={{ height: `${shown.after}px` }} />
    </div>
  );
}
