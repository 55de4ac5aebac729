// What happens, as it happens: one line to the server for a whole browser. The tab that holds the lock reads it and
// tells the others, because a browser has six connections to a host and the seventh tab would wait for ever.
import { signal } from "@preact/signals";
import { answered, ApiError, entry, send } from "./api.ts";

export interface Happening { kind: string; agent?: string; [field: string]: unknown }
export type Line = "live" | "waiting" | "off";
type Listener = (event: Happening) => void;

const CHANNEL = "holdfast.events";
const LOCK = "holdfast.events";
const SILENCE = 40_000; // milliseconds; the server says something every 15 seconds
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 4_000; // a server on this machine is back at once
const AT_THE_DOOR = 2000; // nothing is sent then: only whether this browser was let in is looked at

export const line = signal<Line>("waiting");
const listeners = new Set<Listener>();

export function listen(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Server-sent events from pieces of text: feed it what came, it gives the events that are whole. */
export class EventReader {
  /** The last event that is known: the line goes on after it. Before the first, the oldest answer that may be shown. */
  lastId = "";
  private opened = ""; // where the line began to tell: nobody heard of what is before
  private rest = "";

  /** An answer was given at this place. Says whether it is too old: something came between it and the line. */
  isTooOld(place: string): boolean {
    if (this.opened) return isBefore(place, this.opened);
    if (place && (!this.lastId || isBefore(place, this.lastId))) this.lastId = place;
    return false;
  }

  /** The line tells from this place on. Says whether there are answers that are too old for it. */
  begin(place: string): boolean {
    if (this.opened) return false; // it broke, and goes on where it ended
    const shown = this.lastId;
    this.opened = this.lastId = place;
    return isBefore(shown, place);
  }

  feed(piece: string): Happening[] {
    const lines = (this.rest + piece).split("\n\n");
    this.rest = lines.pop() ?? "";
    return lines.map((block) => this.read(block)).filter((event) => event !== null);
  }

  private read(block: string): Happening | null {
    let kind = "";
    const data: string[] = [];
    for (const row of block.split("\n")) {
      const at = row.indexOf(":");
      if (at < 1) continue; // a comment, or nothing
      const name = row.slice(0, at);
      const value = row.slice(at + 1).replace(/^ /, "");
      if (name === "id") this.lastId = value;
      else if (name === "event") kind = value;
      else if (name === "data") data.push(value);
    }
    if (!data.length) return null;
    try {
      return { ...(JSON.parse(data.join("\n")) as object), kind: kind || "message" };
    } catch {
      return null;
    }
  }
}

/** Whether an id is of an earlier event; the numbers of two runs of a server can't be compared. */
function isBefore(id: string, other: string): boolean {
  const [boot, number] = id.split("-");
  const [otherBoot, otherNumber] = other.split("-");
  return boot === otherBoot && Number(number) < Number(otherNumber);
}

/** The pieces of an answer as text, until it ends, is aborted, or says nothing for too long. */
export async function* piecesOf(response: Response, stop: AbortController): AsyncGenerator<string> {
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  for (;;) {
    const silent = setTimeout(() => stop.abort(), SILENCE);
    try {
      const { done, value } = await reader.read();
      if (done) return;
      yield decoder.decode(value, { stream: true });
    } finally {
      clearTimeout(silent);
    }
  }
}

export function startEvents(): void {
  const channel = new BroadcastChannel(CHANNEL);
  const reader = new EventReader();
  channel.onmessage = ({ data }: MessageEvent<{ event?: Happening; id?: string; line?: Line; ask?: true }>) => {
    if (data.event) tell(data.event);
    if (data.id) reader.lastId = data.id;
    if (data.line) line.value = data.line;
    if (data.ask && leads) channel.postMessage({ line: line.value });
  };
  let leads = false;
  // A page shows what was answered before its line was open: the line begins there, and nothing between is lost. So
  // does who comes after a tab that was closed.
  answered.at = (place) => {
    if (reader.isTooOld(place)) tell({ kind: "missed" });
  };
  const lead = async (): Promise<void> => {
    leads = true;
    const heard = (event: Happening): void => {
      channel.postMessage({ event, id: reader.lastId });
      tell(event);
    };
    await readForEver(reader, heard, (state) => {
      line.value = state;
      channel.postMessage({ line: state });
    });
  };
  if (!navigator.locks) {
    void lead();
    return;
  }
  channel.postMessage({ ask: true });
  void navigator.locks.request(LOCK, { ifAvailable: true }, (lock) => (lock ? lead() : void navigator.locks.request(LOCK, lead)));
}

/** This page wrote something: where no line tells of that, it looks for itself. */
export function wrote(): void {
  if (line.value !== "live") tell({ kind: "missed" });
}

function tell(event: Happening): void {
  for (const listener of [...listeners]) listener(event);
}

async function readForEver(reader: EventReader, heard: Listener, say: (state: Line) => void): Promise<never> {
  let pause = FIRST_PAUSE;
  for (;;) {
    const stop = new AbortController();
    try {
      if (entry.value === "out") throw new ApiError(401, "NotPermitted", "");
      const after = reader.lastId;
      const headers: Record<string, string> = after ? { "Last-Event-ID": after } : {};
      const response = await send("GET", "/api/v1/events", { headers, signal: stop.signal });
      if (reader.begin(response.headers.get("X-Holdfast-Event") ?? after)) heard({ kind: "missed" });
      say("live");
      pause = FIRST_PAUSE;
      for await (const piece of piecesOf(response, stop)) for (const event of reader.feed(piece)) heard(event);
      say("waiting");
    } catch (error) {
      say(error instanceof ApiError && error.status === 401 ? "off" : "waiting");
    }
    await pauseFor(line.value === "off" ? AT_THE_DOOR : pause);
    pause = Math.min(pause * 2, LONGEST_PAUSE);
  }
}

function pauseFor(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const was = entry.peek();
    const wake = (): void => {
      clearTimeout(timer);
      window.removeEventListener("online", wake);
      off();
      resolve();
    };
    const timer = setTimeout(wake, milliseconds);
    window.addEventListener("online", wake);
    const off = entry.subscribe((now) => now !== was && setTimeout(wake));
  });
}
