// Which page an address shows. Those that one opens less often are parts of their own, loaded when they are.
import type { FunctionComponent, JSX } from "preact";
import type { IconName } from "../parts/icons.tsx";
import { Empty, Go, Page } from "../parts/basic.tsx";
import { later } from "../parts/later.tsx";
import { T } from "../texts.ts";
import { History } from "./history.tsx";
import { Inbox } from "./inbox.tsx";
import { Notes } from "./notes.tsx";
import { Search } from "./search.tsx";
import { Today } from "./today.tsx";

export interface PageProps { path: string }
type PageName = keyof typeof T.pages & IconName;
interface PageRow { name: PageName; to: string; keys: string; group: number; shown: FunctionComponent<PageProps> }

type Second = typeof import("./second.tsx");
const second = (name: keyof Second) => later<PageProps>(async () => (await import("./second.tsx"))[name]);

export const PAGES: readonly PageRow[] = [
  { name: "today", to: "/", keys: "g d", group: 0, shown: Today },
  { name: "notes", to: "/notes", keys: "g n", group: 0, shown: Notes },
  { name: "search", to: "/search", keys: "", group: 0, shown: Search },
  { name: "inbox", to: "/inbox", keys: "g i", group: 0, shown: Inbox },
  { name: "history", to: "/history", keys: "g h", group: 0, shown: History },
  { name: "sessions", to: "/sessions", keys: "g s", group: 1, shown: second("Sessions") },
  { name: "facts", to: "/facts", keys: "g f", group: 1, shown: second("Facts") },
  { name: "days", to: "/days", keys: "g c", group: 1, shown: second("Days") },
  { name: "dreams", to: "/dreams", keys: "g r", group: 1, shown: second("Dreams") },
  { name: "forget", to: "/forget", keys: "", group: 1, shown: second("Forget") },
  { name: "exchange", to: "/exchange", keys: "", group: 1, shown: second("Exchange") },
  { name: "map", to: "/map", keys: "g m", group: 1, shown: second("MapPage") },
  { name: "quality", to: "/quality", keys: "g q", group: 2, shown: second("Quality") },
  { name: "status", to: "/status", keys: "g t", group: 2, shown: second("StatusPage") },
  { name: "settings", to: "/settings", keys: "g ,", group: 2, shown: second("Settings") },
];

export function pageFor(path: string): FunctionComponent<PageProps> {
  const found = PAGES.find((page) => (page.to === "/" ? path === "/" : path === page.to || path.startsWith(page.to + "/")));
  return found?.shown ?? Nowhere;
}

function Nowhere(): JSX.Element {
  return <Page title={T.nowhere.title}><Empty title={T.nowhere.about}><p><Go to="/">{T.nowhere.home}</Go></p></Empty></Page>;
}
