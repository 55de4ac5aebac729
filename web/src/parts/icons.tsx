// Icons as lines in a square of 16; none is fetched.
import type { JSX } from "preact";

const PATHS = {
  today: "M3 8l5-5 5 5M4.5 7v6h7V7",
  notes: "M4 2.5h5.5L12 5v8.5H4zM9.5 2.5V5H12M6 8h4M6 10.5h4",
  search: "M7 11.5a4.5 4.5 0 100-9 4.5 4.5 0 000 9zM10.5 10.5L14 14",
  inbox: "M2.5 9l2-6h7l2 6v4h-11zM2.5 9h3l1 2h3l1-2h3",
  history: "M8 4.5V8l2.5 1.5M3 8a5 5 0 105-5C6 3 4.300 4 3.500 5.500M3.200 2.800v2.900h2.900",
  sessions: "M2.5 3.5h11v7h-6l-3 2.5v-2.5h-2z",
  facts: "M3 4.500h1M3 8h1M3 11.500h1M6 4.500h7M6 8h7M6 11.500h7",
  forget: "M4 4.500h8M6.500 4.500v-2h3v2M5 4.500l.500 9h5l.500-9",
  dreams: "M12.500 9.500A5 5 0 016.500 3a5 5 0 106 6.500z",
  exchange: "M3 5.500h9M9.500 3L12 5.500 9.500 8M13 10.500H4M6.500 8L4 10.500 6.500 13",
  days: "M3 4h10v9H3zM3 7h10M5.500 2.500V5M10.500 2.500V5",
  quality: "M2.500 13.500h11M4.500 11V8M8 11V4M11.500 11V6.500",
  map: "M4 11a1 1 0 100-2 1 1 0 000 2zM8 6a1 1 0 100-2 1 1 0 000 2zM12 12a1 1 0 100-2 1 1 0 000 2zM11.500 6.500a.800.800 0 100-1.600.800.800 0 000 1.600z",
  status: "M2 8.500h3l1.500-5 3 9 1.500-4h3",
  settings: "M3 5h6M12 5h1M3 11h1M7 11h6M10.500 6.500a1.500 1.500 0 100-3 1.500 1.500 0 000 3zM5.500 12.500a1.500 1.500 0 100-3 1.500 1.500 0 000 3z",
  menu: "M2.500 4.500h11M2.500 8h11M2.500 11.500h11",
  folder: "M2.500 4h4l1.500 1.500h5.500v7h-11z",
  right: "M6 3.500L10.500 8 6 12.500",
  down: "M3.500 6L8 10.500 12.500 6",
  plus: "M8 3v10M3 8h10",
  edit: "M3 13l.500-3 7-7 2.500 2.500-7 7zM9 4.500L11.500 7",
  undo: "M5.500 3L3 5.500 5.500 8M3 5.500h6a4 4 0 010 8H6",
  check: "M3 8.500l3.500 3.500L13 4.500",
  close: "M4 4l8 8M12 4l-8 8",
  warn: "M8 2.500l6 11H2zM8 6.500v3M8 11.500v.300",
  copy: "M5.500 5.500h7v8h-7zM3.500 10.500v-8h7",
  pin: "M6 2.500h4l-.500 4 2 2.500h-7l2-2.500zM8 9v4.500",
  play: "M5 3.500l7.500 4.500L5 12.500z",
  stop: "M4.500 4.500h7v7h-7z",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} fill="none" stroke="currentColor" stroke-width="1.3" stroke-linecap="round" stroke-linejoin="round" />
    </svg>
  );
}
