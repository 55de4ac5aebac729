// What several pages share: who asks, which agents there are, the tree of notes, how much waits.
import { computed, effect, signal } from "@preact/signals";
import { call, entry, request } from "./api.ts";
import { listen } from "./events.ts";
import { Latest } from "./latest.ts";
import { agent } from "./router.ts";
import type { Agents, TreeRow, Whoami } from "./shapes.ts";

export const whoami = signal<Whoami | null>(null);
export const agents = signal<Agents | null>(null);
export const waiting = signal(0);
export const treeRows = signal<TreeRow[] | null>(null);
export const treeError = signal("");
export const paths = computed(() => (treeRows.value ?? []).map((row) => row.path));
/** Whose memory is shown, by name. */
export const agentName = computed(() => agent.value || whoami.value?.agent || "main");

let treeOf: string | null = null;
let treeTag = "";
let treeWanted = false;
let treeComing: { whose: string; done: Promise<void> } | null = null;

/** Load the tree, or look whether it is still the same; the first call makes it follow every write. */
export function loadTree(): Promise<void> {
  treeWanted = true;
  return treeComing?.whose === agent.value ? treeComing.done : lookAtTree();
}

/** The same after a write, of which a request that is on its way may know nothing. */
function lookAtTree(): Promise<void> {
  const mine = { whose: agent.value, done: Promise.resolve() };
  treeComing = mine;
  mine.done = askForTree(mine.whose, () => treeComing === mine).finally(() => {
    if (treeComing === mine) treeComing = null;
  });
  return mine.done;
}

async function askForTree(whose: string, isLatest: () => boolean): Promise<void> {
  if (treeOf !== whose) {
    treeRows.value = null;
    treeTag = "";
    treeOf = whose;
  }
  try {
    const { data, etag, status } = await request("GET /tree", { headers: treeTag ? { "If-None-Match": treeTag } : {} });
    if (!isLatest()) return;
    treeError.value = "";
    if (status === 304 || agent.value !== whose) return;
    treeTag = etag;
    treeRows.value = data.notes.map(([path, bytes, modified, source]) => ({ path, bytes, modified, source }));
  } catch (error) {
    if (isLatest()) treeError.value = error instanceof Error ? error.message : String(error);
  }
}

const latestCount = new Latest();
const latestWho = new Latest();
const latestAgents = new Latest();

/** The number beside a word is not worth an error; the page itself says what is wrong. */
function loadWaiting(): void {
  void latestCount.ask((signal) => call("GET /inbox", { signal }), ({ entries }) => (waiting.value = entries.length));
}

/** So much waits: somebody knows better than an answer that is on its way. */
export function setWaiting(count: number): void {
  latestCount.drop();
  waiting.value = count;
}

function loadStart(): void {
  void latestWho.ask((signal) => call("GET /whoami", { signal }), (found) => (whoami.value = found));
  void latestAgents.ask((signal) => call("GET /agents", { signal }), (found) => (agents.value = found));
}

const TOGETHER = 150; // milliseconds; the writes of one import are one look
/** That a browser turns out to be let in is no news to who has asked already. */
const isOut = computed(() => entry.value === "out");

export function startStore(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  effect(() => {
    if (isOut.value) return;
    void agent.value;
    loadWaiting();
    if (treeWanted) void loadTree();
  });
  effect(() => {
    if (!isOut.value) loadStart();
  });
  listen((event) => {
    const ours = !event.agent || event.agent === agentName.value;
    if (event.kind === "inbox" && ours && typeof event.waiting === "number") setWaiting(event.waiting);
    const looks = event.kind === "missed" || (ours && (event.kind === "write" || event.kind === "dream" || event.kind === "capture"));
    if (!looks) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      loadWaiting();
      if (treeWanted) void lookAtTree();
    }, TOGETHER);
  });
}
