// Calls of the server: typed by route, with the page key; every failure is an ApiError whose message is a sentence.
import { signal } from "@preact/signals";
import { agent } from "./router.ts";
import type { Name, Routes } from "./shapes.ts";
import { T } from "./texts.ts";

export class ApiError extends Error {
  constructor(readonly status: number, readonly type: string, message: string, readonly line: number | null = null) {
    super(message);
  }
}

export type Entry = "unknown" | "in" | "out";
/** Whether this browser is let in; "out" shows the page that says how to come in. */
export const entry = signal<Entry>("unknown");

/** Told of each answer's place in the line of events: what happened up to there may be in it. */
export const answered: { at: (place: string) => void } = { at: () => {} };

const PAGE_KEY = "holdfast.page";
const BASE = "/api/v1";

export function pageKey(): string {
  try {
    return localStorage.getItem(PAGE_KEY) ?? "";
  } catch {
    return ""; // a browser that keeps nothing gets in anew each time
  }
}

export function keepPageKey(key: string | null): void {
  try {
    if (key === null) localStorage.removeItem(PAGE_KEY);
    else localStorage.setItem(PAGE_KEY, key);
  } catch {
    // as above
  }
}

export interface Options<K extends Name> {
  path?: Routes[K]["path"];
  query?: Routes[K]["query"];
  body?: Routes[K]["body"];
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** Whose memory, where it is not that of the page. */
  agent?: string;
}

export interface Answered<T> { data: T; etag: string; status: number }

/** The address of a route: a `/` stays one in the path of a note, and is %2F in every other name. */
export function addressOf(template: string, path: Record<string, unknown> = {}, query: Record<string, unknown> = {}): string {
  const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(path[name] ?? "");
    // A browser follows these by itself, and asks for another address than was meant.
    if (value.split("/").some((part) => part === "." || part === "..")) throw new ApiError(422, "BadPath", T.error.dots);
    return name === "path" ? value.split("/").map(encodeURIComponent).join("/") : encodeURIComponent(value);
  });
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== "");
  const asked = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return BASE + filled + (asked ? `?${asked}` : "");
}

export async function send(method: string, address: string, init: { body?: unknown; raw?: Blob; headers?: Record<string, string>; signal?: AbortSignal } = {}): Promise<Response> {
  const key = pageKey();
  const headers: Record<string, string> = { "X-Holdfast-Page": key, ...init.headers };
  if (init.body !== undefined) headers["Content-Type"] = "application/json";
  let response: Response;
  try {
    response = await fetch(address, {
      method, headers, signal: init.signal, cache: "no-store", credentials: "same-origin", redirect: "error",
      body: init.raw ?? (init.body === undefined ? undefined : JSON.stringify(init.body)),
    });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new ApiError(0, "Unreachable", T.error.unreachable);
  }
  if (response.status === 401) {
    // Somebody came in by another link meanwhile: this was sent with the old key and the new cookie, and nothing was done.
    if (pageKey() !== key) return send(method, address, init);
    entry.value = "out";
  } else if (entry.value === "unknown") entry.value = "in";
  answered.at(response.headers.get("X-Holdfast-Event") ?? "");
  if (!response.ok && response.status !== 304) throw await failureOf(response);
  return response;
}

async function failureOf(response: Response): Promise<ApiError> {
  try {
    const { error } = (await response.json()) as { error: { type: string; message: string; line?: number } };
    return new ApiError(response.status, error.type, error.message, error.line ?? null);
  } catch {
    return new ApiError(response.status, "HoldfastError", T.error.odd(response.status));
  }
}

export async function request<K extends Name>(name: K, options: Options<K> = {}): Promise<Answered<Routes[K]["answer"]>> {
  const [method = "GET", template = ""] = name.split(" ");
  const whose = options.agent ?? agent.value;
  const query = whose ? { ...options.query, agent: whose } : options.query;
  const address = addressOf(template, options.path as Record<string, unknown>, query as Record<string, unknown>);
  const response = await send(method, address, { body: options.body, headers: options.headers, signal: options.signal });
  const data = response.status === 304 ? null : await response.json();
  return { data: data as Routes[K]["answer"], etag: response.headers.get("ETag") ?? "", status: response.status };
}

/** The same without headers: what the route answers. */
export async function call<K extends Name>(name: K, options: Options<K> = {}): Promise<Routes[K]["answer"]> {
  return (await request(name, options)).data;
}

export function sentenceOf(error: unknown): string {
  return error instanceof Error && error.message ? error.message : T.error.unknown;
}

/** Bring the code of a one-time link; true where it let this browser in. */
export async function enter(code: string): Promise<void> {
  const response = await send("POST", "/enter", { body: { code } });
  const { page } = (await response.json()) as { page: string };
  keepPageKey(page);
  entry.value = "in";
}

export async function leave(): Promise<void> {
  await send("POST", "/leave", { body: {} });
  keepPageKey(null);
  entry.value = "out";
}
