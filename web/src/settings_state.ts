// Settings as they hold, what is changed and not saved yet, and why a control can't be used.
import { computed, signal } from "@preact/signals";
import { call } from "./api.ts";
import { agent } from "./router.ts";
import type { CatalogueKey, SettingRow, SettingRows } from "./shapes.ts";
import { T } from "./texts.ts";

export const catalogue = signal<CatalogueKey[]>([]);
export const titles = signal<Map<string, string>>(new Map());
export const rows = signal<Map<string, SettingRow>>(new Map());
export const broken = signal("");
export const file = signal("");
/** Not saved yet; null takes a key out of the file, so that its default holds. */
export const changes = signal<Record<string, unknown>>({});
export const keysByName = computed(() => new Map(catalogue.value.map((key) => [key.key, key])));

let saves = 0; // a list of settings that was asked for before the last one knows nothing of it

export async function loadSettings(signalOf: AbortSignal): Promise<true> {
  const before = saves;
  const wanted = catalogue.value.length ? null : call("GET /settings/catalogue", { signal: signalOf });
  const [found, all] = await Promise.all([call("GET /settings", { signal: signalOf }), wanted]);
  if (before === saves && !signalOf.aborted) take(found);
  if (all) {
    catalogue.value = all.keys;
    titles.value = new Map(all.tables.map((table) => [table.name, table.title]));
  }
  return true;
}

function take(found: SettingRows): void {
  rows.value = new Map([...rows.value, ...found.settings.map((row): [string, SettingRow] => [row.key, row])]);
  broken.value = found.because ?? "";
  file.value = found.file ?? found.path ?? file.value;
}

/** What a key would be if the changes were saved. */
export function valueOf(key: string): unknown {
  if (key in changes.value) return changes.value[key] ?? rows.value.get(key)?.default ?? null;
  return rows.value.get(key)?.value ?? null;
}

export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
}

export function change(key: string, value: unknown): void {
  const next = { ...changes.value };
  const row = rows.value.get(key);
  const resets = value === null && row?.source === "default";
  if (row && (resets || (value !== null && isSame(row.value, value)))) delete next[key];
  else next[key] = value;
  changes.value = next;
}

/** Leave a key as it is. */
export function drop(key: string): void {
  const { [key]: _, ...rest } = changes.value;
  changes.value = rest;
}

export async function diffOfChanges(signalOf: AbortSignal): Promise<string> {
  return (await call("PATCH /settings", { body: { changes: changes.value, dry_run: true }, signal: signalOf })).diff ?? "";
}

/** Save all changes or none; gives the id by which the server puts them back. */
export async function saveChanges(): Promise<string> {
  const undo = saved(await call("PATCH /settings", { body: { changes: changes.value } }));
  changes.value = {};
  return undo;
}

/** Put back what settings were before a change; gives the id by which that is undone. */
export async function undoChanges(change: string): Promise<string> {
  return saved(await call("POST /settings/undo", { body: { change } }));
}

function saved(made: SettingRows): string {
  saves++;
  take(made);
  return made.undo ?? "";
}

export type SourceKind = "default" | "file" | "agentFile" | "environment" | "argument";

/** Where a value is from: `default`, `holdfast.toml:46`, `agents/coder/holdfast.toml:3`, the name of a variable, or else. */
export function sourceKind(source: string): SourceKind {
  if (source === "default") return "default";
  if (/holdfast\.toml(:\d+)?$/.test(source)) return source.startsWith("agents/") ? "agentFile" : "file";
  return /^(HOLDFAST_[A-Z0-9_]+|environment)$/.test(source) ? "environment" : "argument";
}

export const isFromFile = (source: string): boolean => sourceKind(source) === "file" || sourceKind(source) === "agentFile";

/** Why a control can't be used, in a sentence; empty where it can. Its value is kept. */
export function lockedBecause(key: CatalogueKey): string {
  const row = rows.value.get(key.key);
  const source = sourceKind(row?.source ?? "default");
  if (source === "environment") return T.settings.fromEnvironment(row?.variable ?? key.variable);
  if (source === "argument") return T.settings.fromArgument;
  if (key.by_hand) return T.settings.byHand;
  if (key.of_home && agent.value) return T.settings.ofHome;
  const style = valueOf("memory.style");
  if (key.key === "chat.prompt_memory_mode" && (style === "search-only" || style === "off")) return T.settings.noPromptMemory(String(style));
  if (key.key === "memory.llm_reranking" && valueOf("memory.disable_rag") === true) return T.settings.noRag;
  if (key.key.startsWith("memory.recall.") && style === "off") return T.settings.memoryOff;
  if (key.key.startsWith("capture.llm.") && !((valueOf("llm.tasks") as string[] | null) ?? []).includes("capture")) return T.settings.noLlmCapture;
  return "";
}
