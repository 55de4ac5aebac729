// What the server answers, where the OpenAPI document says no more than "an object", or does not say it yet.
import type { GeneratedRoutes } from "./api_types.ts";

export type Origin = "user" | "agent" | "auto_capture" | "import" | "mcp_tool" | "api" | "outside";
export interface TreeRow { path: string; bytes: number; modified: number; source: string }
export interface Tree { generation: string; total: number; notes: Array<[string, number, number, string]> }
export interface NoteText { path: string; text: string; hash: string; bytes?: number; modified?: string; writable?: boolean; because?: string }
export interface Saved { saved: boolean; path: string; checkpointId: string; hash?: string; waits?: boolean; because?: string; existed?: boolean }
export interface Renamed { renamed: boolean; from: string; path: string; hash: string; checkpointIds: string[] }
export interface Run { from: number; to: number; origin: string | null; checkpoint: string | null; at: string | null }
export interface Links { path: string; links: Array<{ path: string; line: number; exists: boolean }>; backlinks: Array<{ path: string; line: number; text: string }>; partial: boolean }
export interface Checkpoint {
  id: string; seq: number; createdAt: string | null; path: string; origin: string; tool: string; reason: string;
  existed: boolean; exists: boolean; before?: string | null; after?: string | null; group?: string; steps?: number;
  undoes?: string | null; current?: boolean; undoable?: boolean; because?: string; author?: string; notes?: Checkpoint[];
}
export interface Checkpoints { count: number; checkpoints: Checkpoint[]; next_before?: number | null }
export interface SideText { checkpoint: string; side: string; path: string; text: string | null; hash: string | null }
export interface Undone { restored: boolean; path: string; exists: boolean; checkpointId: string; checkpointIds?: string[]; later?: number; outside?: boolean }
export interface TookBack { origin: string; undone: boolean; notes: Array<{ path: string; gone: number; back: number; kept: number; exists: boolean }>; left: Array<{ path: string; because?: string }>; checkpointIds: string[] }
export interface Days { days: Array<{ day: string; changes: number; origins: Record<string, number> }> }
export interface Hit {
  chunk_id: string; path: string; start_line: number; end_line: number; score: number; confidence: number; likely: boolean;
  snippet: string; citation: string | null; source: string; origin?: string | null; waits?: boolean; newer?: string; older?: string;
  found_by?: string; media?: string; headings?: string[]; explain?: Record<string, number>;
}
export interface Results {
  query: string; mode: string; because: string; partial: boolean; likely: boolean; results: Hit[];
  provider: string | null; model: string | null; took_ms: number;
}
export interface InboxEntry {
  id: string; text: string; origin: string | null; client: string; at: string | null; place: string; because: string;
  kind?: string; source?: string | null; source_line?: number | null; replaces?: string | null; score?: number | null;
}
export interface Decided extends InboxEntry { outcome: string; checkpointIds: string[] }
export interface CatalogueKey {
  key: string; table: string; kind: string; choices: string[] | null; least: number | null; most: number | null;
  default: unknown; optional: boolean; description: string; example: unknown; secret: boolean; variable: string;
  by_hand: boolean; of_home: boolean;
}
export interface Catalogue { tables: Array<{ name: string; title: string }>; keys: CatalogueKey[] }
export interface SettingRow { key: string; value: unknown; default: unknown; source: string; variable?: string }
export interface SettingRows { settings: SettingRow[]; because?: string; file?: string; path?: string; diff?: string; undo?: string }
export interface ProviderTest {
  ok: boolean; what: string; provider: string; model: string; endpoint: string; sends_to: string | null;
  dimensions: number | null; tokens: number | null; took_ms: number; because: string;
}
export interface Space {
  number?: number; provider: string; model: string; endpoint: string; dimensions: number; texts: number; embedded: number;
  vectors: number; current: boolean; because?: string;
}
export interface Status {
  home: string; agent: string; settings_file: string; notes: number; notes_on_disk: number; by_source: Record<string, number>;
  skipped: Array<{ path: string; why?: string }>; chunks: number; index: { path: string; bytes: number; up_to_date: boolean };
  mode: string; because: string; provider: string | null; model: string | null; provider_because: string; sends_to: string | null;
  providers: Array<{ provider: string; model: string | null; endpoint: string; remote: boolean; because: string; failure: string }>;
  engine: string; spaces: Space[]; waiting: number; settings_because?: string;
  sessions: { searched: boolean; transcripts: number; indexed: number };
  images?: { read: number; pending: number; unreadable: Array<{ path: string; why: string }>; because: string };
}
export interface Job {
  id: string; kind: string; agent: string; state: "waiting" | "running" | "done" | "failed" | "cancelled"; created: number;
  progress: { what: string; done: number; total: number } | null; result: Record<string, unknown> | null;
  error: { type: string; message: string } | null; ended: number | null;
}
export interface Agents { default: string; agents: Array<{ id: string; notes: number | null; has_memory: boolean; has_settings: boolean }> }
export interface Whoami { origin: string; agent: string; home: string; version: string; today: string; zone: string | null; remote: boolean; secure: boolean }
export interface Browsers { browsers: Array<{ id: string; first: string; last: string; name: string; this: boolean }> }
export interface Profile { user: { name: string | null; timezone: string | null; location: string | null; more: Record<string, string> } }
export interface Session { key: string; kind: string; channel: string; created: number; last: number; excluded: boolean; bytes: number; path: string }
export interface Message {
  kind: string; id: string; at: number; role: string; text?: string; origin?: string; tags?: string[]; tool_name?: string;
  failed?: boolean; tool_calls?: Array<{ id: string; name: string; arguments: Record<string, unknown> }>;
}
export interface ContextPart { name: string; kind: string; characters: number; tokens: number; source: string; truncated: boolean; text: string }
export interface ContextView {
  session: string; model: string | null; style: string; mode: string; frozen: boolean; frozen_at: string | null; recall: boolean;
  because: string; window: number; reserve: number; flush_at: number; cycle: number; sandbox: string; sent: number; parts: ContextPart[];
  spent: { requests: number; input_tokens: number; output_tokens: number; cost: number | null };
}
export interface Fact {
  id: string; text: string; category: string; importance: number; origin: string; state: string; observed: string;
  valid_from: string | null; valid_until: string | null; reinforced: number; supersedes: string[]; superseded_by: string | null;
  rule: string | null; session: string | null; message: string | null; path: string; line: number;
}
export interface Forgot {
  forgotten: Array<{ path: string; line?: number; text?: string }>; needs_confirmation: boolean; because: string; checkpointIds: string[]; dry_run: boolean; plan?: string;
  candidates: Array<{ path: string; line: number; text: string; chosen: boolean; origin: string | null }>;
  everywhere?: { places: number; checkpoints: number; exports: number; messages: number }; left?: Array<{ path: string; because?: string }>;
}
export interface Dream {
  run: string; day: string; dry_run: boolean; because: string; report: string | null; checkpointIds: string[]; stopped: boolean;
  deep: Array<{ id: string; text: string; place: string; outcome: string; origin: string; because: string; score: number; parts: Record<string, number>; recalls: number }>;
}
export interface DreamRun { run: string; at: string; origin: string; report: string | null; notes: string[]; why: string[]; rolled_back: boolean; checkpointIds: string[] }
export interface QuestionRow { query: string; path?: string; line?: number | number[]; text?: string; category?: string; unanswerable?: boolean }
export interface Questions { file: string; hash: string; questions: QuestionRow[]; missing: string[] }
export interface Quality {
  questions: number; first?: number; lines: number | null; notes: number | null; floor: number | null;
  misses: Array<{ query: string; rank: number; wanted: Array<{ path: string; line: number; text: string }>; got: string | null; because: string }>;
}
export interface NoteMap { notes: string[]; points: Array<[number, number, number, number]>; groups: Array<{ x: number; y: number; label: string; count: number }>; because: string }

type Route<Path, Query, Body, Answer> = { path: Path; query: Query; body: Body; answer: Answer };
type Get<Answer, Query = {}, Path = {}> = Route<Path, Query, undefined, Answer>;
type At = { path: string };
type Id = { id: string };
type Key = { key: string };

interface HandRoutes {
  "GET /whoami": Get<Whoami>;
  "GET /agents": Get<Agents>;
  "GET /browsers": Get<Browsers>;
  "DELETE /browsers/{id}": Get<{ revoked: boolean }, {}, Id>;
  "GET /tree": Get<Tree>;
  "GET /notes/{path}": Get<NoteText, { whole?: boolean }, At>;
  "PUT /notes/{path}": Route<At, {}, { content: string }, Saved>;
  "POST /notes/{path}/rename": Route<At, {}, { to: string }, Renamed>;
  "GET /notes/{path}/origins": Get<{ runs: Run[] }, {}, At>;
  "GET /notes/{path}/links": Get<Links, {}, At>;
  "GET /history": Get<Checkpoints, { undoable?: boolean; path?: string; limit?: number; full?: boolean; before?: number; after?: number; origin?: string; tool?: string; since?: string; until?: string }>;
  "GET /history/days": Get<Days, { since?: string; until?: string }>;
  "GET /checkpoints/{id}": Get<Checkpoint, {}, Id>;
  "GET /checkpoints/{id}/text": Get<SideText, { side: "before" | "after" }, Id>;
  "POST /undo": Route<{}, {}, { path?: string; force?: boolean; checkpoint_ids?: string[]; keep_later?: boolean }, Undone>;
  "POST /checkpoints/{id}/restore": Route<Id, {}, {} | undefined, Undone>;
  "POST /undo/origin": Route<{}, {}, { origin: string; since?: string; until?: string; dry_run?: boolean }, TookBack>;
  "POST /search": Route<{}, {}, GeneratedRoutes["POST /search"]["body"], Results>;
  "GET /inbox": Get<{ entries: InboxEntry[] }>;
  "POST /inbox/{id}/approve": Route<Id, {}, { text?: string } | undefined, Decided>;
  "POST /inbox/{id}/reject": Route<Id, {}, undefined, Decided>;
  "POST /inbox/{id}/again": Route<Id, {}, undefined, Record<string, unknown>>;
  "GET /settings/catalogue": Get<Catalogue>;
  "GET /settings": Get<SettingRows, { changed?: boolean }>;
  "PATCH /settings": Route<{}, {}, { changes: Record<string, unknown>; dry_run?: boolean }, SettingRows>;
  "POST /settings/undo": Route<{}, {}, { change: string }, SettingRows>;
  "POST /providers/test": Route<{}, {}, { what: "embedding" | "model"; changes: Record<string, unknown> }, ProviderTest>;
  "GET /status": Get<Status, { deep?: boolean }>;
  "GET /spaces": Get<{ spaces: Space[] }>;
  "GET /jobs": Get<{ jobs: Job[] }>;
  "POST /jobs": Route<{}, {}, { kind: string; approved?: boolean; dry_run?: boolean }, Job>;
  "DELETE /jobs/{id}": Get<Job, {}, Id>;
  "GET /profile": Get<Profile>;
  "PUT /profile": Route<{}, {}, { field: string; value: string }, Record<string, unknown>>;
  "GET /sessions": Get<{ sessions: Session[] }>;
  "GET /sessions/{key}/messages": Get<{ session: string; messages: Message[]; excluded?: boolean }, { limit?: number; before?: string; silent?: boolean }, Key>;
  "GET /sessions/{key}/context-view": Get<ContextView, {}, Key>;
  "DELETE /sessions/{key}/turn": Get<{ stopped: boolean }, {}, Key>;
  "GET /facts": Get<{ facts: Fact[]; total: number; next_offset: number | null }, { category?: string; origin?: string; state?: string; limit?: number; offset?: number; as_of?: string; query?: string }>;
  "POST /facts": Route<{}, {}, { text: string; category?: string }, { id: string; outcome: string; checkpointIds: string[] }>;
  "GET /facts/{id}": Get<{ fact: Fact; chain: Fact[]; recalls: number | null; last_recalled: string | null; source: { session: string; message: string | null; at: number | null; text: string | null } | null }, {}, Id>;
  "GET /facts/stats": Get<{ total: number; states: Record<string, number>; categories: Record<string, number>; origins: Record<string, number>; duplicates: number; stale: number; never_recalled: number; most: number }>;
  "POST /facts/{id}/archive": Route<Id, {}, undefined, { fact: Fact; checkpointIds: string[] }>;
  "POST /facts/{id}/restore": Route<Id, {}, undefined, { fact: Fact; checkpointIds: string[] }>;
  "DELETE /facts/{id}": Get<{ fact: Fact; checkpointIds: string[] }, {}, Id>;
  "POST /forget": Route<{}, {}, { request?: string; text?: string; dry_run?: boolean; everywhere?: boolean; confirmed?: boolean; places?: string[]; plan?: string; word?: string }, Forgot>;
  "POST /purge": Route<{}, {}, { path: string; dry_run?: boolean; plan?: string; word?: string }, { changes: number; objects: number; bytes: number | null; plan?: string }>;
  "POST /dreams": Route<{}, {}, { dry_run?: boolean }, Dream>;
  "GET /dreams/runs": Get<{ runs: DreamRun[] }, { limit?: number; before?: string }>;
  "GET /questions": Get<Questions>;
  "PUT /questions": Route<{}, {}, { questions: QuestionRow[]; expected_hash: string }, Questions>;
  "GET /questions/draft": Get<{ questions: QuestionRow[] }, { count?: number }>;
  "GET /map": Get<NoteMap>;
  "POST /dreams/rollback": Route<{}, {}, { run?: string }, { run?: string; checkpointIds?: string[] }>;
}

export type Routes = Omit<GeneratedRoutes, keyof HandRoutes> & HandRoutes;
export type Name = keyof Routes & string;
