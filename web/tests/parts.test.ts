import assert from "node:assert/strict";
import { test } from "node:test";
import { addressOf } from "../src/api.ts";
import { diffItems, diffLines, folded } from "../src/diff.ts";
import { EventReader } from "../src/events.ts";
import { hasHidden, revealed } from "../src/invisibles.ts";
import { Keyboard, type Shortcut } from "../src/keys.ts";
import { noteAddress, restOf, withAgent } from "../src/router.ts";
import { ago } from "../src/parts/basic.tsx";
import { joinedMessages, sourcesIn } from "../src/pages/session_transcript.tsx";
import { groupsOf, whatOf } from "../src/pages/history.tsx";
import { type Box, placesAround, placesBeside, takePlace } from "../src/pages/map_labels.ts";
import { sourceKind } from "../src/settings_state.ts";
import { Latest } from "../src/latest.ts";
import type { Checkpoint, Message, TreeRow } from "../src/shapes.ts";
import { filtered, foldersAround, foldersOf, linesOf } from "../src/tree.ts";
import { MOST_ROWS, scrollTo, windowOf } from "../src/virtual.ts";

test("a diff of any two lists gives both lists back", () => {
  let seed = 7;
  const random = (most: number): number => (seed = (seed * 48271) % 2147483647) % most;
  for (let round = 0; round < 400; round++) {
    const before = Array.from({ length: random(12) }, () => random(4));
    const after = Array.from({ length: random(12) }, () => random(4));
    const changes = diffItems(before, after);
    const side = (left: string): number[] => changes.flatMap(({ op, items }) => (op === left ? [] : items));
    assert.deepEqual(side("new"), before);
    assert.deepEqual(side("gone"), after);
  }
});

test("a diff of unlike texts ends soon and is still exact", () => {
  const before = Array.from({ length: 5000 }, (_, at) => `a${at}`);
  const after = Array.from({ length: 5000 }, (_, at) => `b${at}`);
  const rows = diffLines(before.join("\n"), after.join("\n"));
  assert.equal(rows.filter((row) => row.op === "gone").length, 5000);
});

test("in a line that changed, the words that differ are marked", () => {
  const rows = diffLines("same\nThe launch is on 3 March.\n", "same\nThe launch is on 9 March.\n");
  assert.deepEqual(rows.map((row) => [row.op, row.old, row.new]), [["same", 1, 1], ["gone", 2, null], ["new", null, 2]]);
  assert.deepEqual(rows[1]!.words.filter((word) => word.op === "gone").map((word) => word.text), ["3"]);
  assert.deepEqual(rows[2]!.words.filter((word) => word.op === "new").map((word) => word.text), ["9"]);
});

test("unchanged lines far from a change are folded into a number", () => {
  const before = Array.from({ length: 40 }, (_, at) => `line ${at}`);
  const rows = folded(diffLines(before.join("\n"), [...before.slice(0, 20), "fresh", ...before.slice(20)].join("\n")), 2);
  assert.deepEqual(rows.filter((row) => typeof row === "number"), [18, 18]);
});

test("however high the window, at most sixty rows are drawn, and those in sight are among them", () => {
  for (const count of [0, 1, 59, 60, 61, 10_000, 100_000])
    for (const height of [0, 100, 700, 1100, 1500])
      for (const top of [0, 13, 5_000, 279_000, 2_800_000]) {
        const reach = Math.max(0, Math.min(top, count * 28 - height));
        const { first, last, before, after } = windowOf(count, 28, reach, height);
        assert.ok(last - first <= MOST_ROWS);
        assert.equal(before + (last - first) * 28 + after, count * 28);
        if (count) assert.ok(first * 28 <= reach && (last === count || last * 28 >= reach + Math.min(height, 1600)));
      }
});

test("a list scrolls no further than it must to show a row", () => {
  assert.equal(scrollTo(0, 20, 100, 200), 0);
  assert.equal(scrollTo(6, 20, 100, 200), 100);
  assert.equal(scrollTo(20, 20, 100, 200), 220);
});

const row = (path: string, modified = 0): TreeRow => ({ path, bytes: 1, modified, source: "memory" });

test("a tree shows folders before notes, only what is open, by name or by date", () => {
  const top = foldersOf([row("MEMORY.md", 1), row("memory/b.md", 5), row("memory/a10.md", 3), row("memory/a9.md", 2), row("memory/x/y.md", 9)]);
  assert.deepEqual(linesOf(top, new Set(), "name").map((line) => line.path), ["memory", "MEMORY.md"]);
  assert.deepEqual(linesOf(top, new Set(["memory"]), "name").map((line) => line.path), ["memory", "memory/x", "memory/a9.md", "memory/a10.md", "memory/b.md", "MEMORY.md"]);
  assert.deepEqual(linesOf(top, new Set(["memory"]), "date").slice(2, 5).map((line) => line.path), ["memory/b.md", "memory/a10.md", "memory/a9.md"]);
  assert.equal(linesOf(top, new Set(), "name")[0]!.count, 4);
});

test("a filter finds every word anywhere in the path, names that begin with it first", () => {
  const rows = [row("memory/old/harbour.md"), row("memory/harbour/plan.md"), row("memory/other.md")];
  assert.deepEqual(filtered(rows, "harb").map((line) => line.path), ["memory/old/harbour.md", "memory/harbour/plan.md"]);
  assert.deepEqual(filtered(rows, "plan har").map((line) => line.path), ["memory/harbour/plan.md"]);
  assert.deepEqual(foldersAround("memory/a/b.md"), ["memory", "memory/a"]);
});

test("events are read whatever pieces they come in, and the last id is kept", () => {
  const text = 'retry: 2000\n\nid: a-1\nevent: write\ndata: {"agent":"main","path":"x.md"}\n\n: still here\n\nid: a-2\nevent: job\ndata: {"job":{}}\n\n';
  for (const size of [1, 3, 7, 1000]) {
    const reader = new EventReader();
    const found = [];
    for (let at = 0; at < text.length; at += size) found.push(...reader.feed(text.slice(at, at + size)));
    assert.deepEqual(found.map((event) => event.kind), ["write", "job"]);
    assert.equal(found[0]!.path, "x.md");
    assert.equal(reader.lastId, "a-2");
  }
  assert.deepEqual(new EventReader().feed("event: x\ndata: {broken\n\n"), []);
});

test("hidden characters are drawn, and those that a script needs are left", () => {
  assert.equal(revealed("a\u202eb"), "a⟦U+202E⟧b");
  assert.equal(revealed("a\u{e0041}"), "a⟦U+E0041⟧");
  assert.equal(revealed("x\u200by\u001b[0m"), "x⟦U+200B⟧y␛[0m");
  assert.equal(revealed("👩\u200d💻 1\ufe0f\u20e3"), "👩\u200d💻 1\ufe0f\u20e3");
  assert.equal(revealed("a\u200db"), "a⟦U+200D⟧b");
  assert.equal(revealed("שלום\u200f"), "שלום\u200f");
  assert.equal(revealed("❤\ufe0f\ufe0f"), "❤\ufe0f⟦U+FE0F⟧");
  assert.equal(hasHidden("plain\ttext\nand more"), false);
});

test("shortcuts of one key, of two within a moment, and none while one types", () => {
  let now = 0;
  const known: Shortcut[] = ["g n", "n", "/", "Ctrl-k"].map((keys) => ({ keys, text: "", group: "", run: () => {} }));
  const keyboard = new Keyboard(() => [...known], () => now);
  const press = (key: string, typing = false, ctrlKey = false): string | undefined => keyboard.press({ key, ctrlKey, metaKey: false, altKey: false }, typing)?.keys;
  assert.equal(press("/"), "/");
  assert.equal(press("g"), undefined);
  assert.equal(press("n"), "g n");
  press("g");
  now += 5000;
  assert.equal(press("n"), "n");
  assert.equal(press("n", true), undefined);
  assert.equal(press("k", true, true), "Ctrl-k");
});

test("addresses keep the slashes of a note's path and encode every other name", () => {
  assert.equal(addressOf("/notes/{path}", { path: "memory/a b#c.md" }, { whole: true, x: undefined }), "/api/v1/notes/memory/a%20b%23c.md?whole=true");
  assert.equal(addressOf("/sessions/{key}/turn", { key: "a/b" }), "/api/v1/sessions/a%2Fb/turn");
  assert.throws(() => addressOf("/notes/{path}", { path: "memory/../evil.md" }), /without \. and \.\./);
  assert.equal(noteAddress("memory/ü.md", 3), "/notes/memory/%C3%BC.md#L3");
  assert.equal(restOf("/notes/memory/%C3%BC.md", "/notes"), "memory/ü.md");
  assert.equal(restOf("/notes/%zz", "/notes"), "%zz");
  assert.equal(withAgent("/notes?x=1#L2", "coder"), "/notes?x=1&agent=coder#L2");
});

test("where a setting is from is read from the server's words", () => {
  assert.equal(sourceKind("default"), "default");
  assert.equal(sourceKind("holdfast.toml:46"), "file");
  assert.equal(sourceKind("agents/coder/holdfast.toml:3"), "agentFile");
  assert.equal(sourceKind("HOLDFAST_MEMORY_STYLE"), "environment");
  assert.equal(sourceKind("argument"), "argument");
});

test("changes that were made together are one row of history", () => {
  const change = (id: string, group = ""): Checkpoint => ({ id, group, seq: 1, createdAt: null, path: id, origin: "user", tool: "", reason: "", existed: true, exists: true });
  const groups = groupsOf([change("a"), change("b", "g"), change("c", "g"), change("d")]);
  assert.deepEqual(groups.map((group) => group.all.map((one) => one.id)), [["a"], ["b", "c"], ["d"]]);
});

test("how long ago something was is said as people say it", () => {
  const now = new Date("2026-11-16T15:00:00").getTime();
  assert.equal(ago(new Date(now - 5000), now), "just now");
  assert.equal(ago(new Date(now - 120_000), now), "2 min ago");
  assert.match(ago(new Date(now - 3 * 3_600_000), now), /^today/);
  assert.match(ago(new Date(now - 400 * 86_400_000), now), /2025/);
});

test("the notes that a message brought to mind are named once each", () => {
  const text = "[Source: memory/harbour.md#1] score=1.00\n| x\n[Source: memory/a b.md#12]\n[Source: memory/harbour.md#1]\n[Source: x](y.md#1)";
  assert.deepEqual(sourcesIn(text), [{ path: "memory/harbour.md", line: 1 }, { path: "memory/a b.md", line: 12 }]);
});

test("an answer that comes late never takes the place of a newer one, nor does its failure", async () => {
  const latest = new Latest();
  const shown: string[] = [];
  const answers: Array<(text: string) => void> = [];
  const failures: Array<(error: Error) => void> = [];
  const ask = (): Promise<void> => latest.ask(() => new Promise<string>((give, fail) => (answers.push(give), failures.push(fail))), (text) => shown.push(text), () => shown.push("failed"));
  const asked = [ask(), ask(), ask()];
  answers[2]!("third");
  answers[0]!("first");
  failures[1]!(new Error("second"));
  await Promise.all(asked);
  assert.deepEqual(shown, ["third"]);
  const dropped = ask();
  latest.drop();
  answers[3]!("dropped");
  await dropped;
  assert.deepEqual(shown, ["third"]);
});

test("a line begins where the oldest answer of the page is, and says of an older one that it is too old", () => {
  const reader = new EventReader();
  for (const place of ["", "ab-7", "ab-5", "ab-9"]) assert.equal(reader.isTooOld(place), false);
  assert.equal(reader.lastId, "ab-5");
  assert.equal(reader.begin("ab-5"), false);
  reader.feed("id: ab-8\nevent: write\ndata: {}\n\n");
  assert.equal(reader.begin("ab-8"), false); // the line broke and was opened again
  assert.equal(reader.lastId, "ab-8");
  assert.equal(reader.isTooOld("ab-6"), false);
  assert.equal(reader.isTooOld("ab-4"), true);
  assert.equal(reader.isTooOld("ab-10"), false);
  assert.equal(reader.isTooOld("cd-1"), false);
  assert.equal(reader.lastId, "ab-8");
});

test("a line that was asked for before the first answer and opened after it says that something may be missing", () => {
  const reader = new EventReader();
  reader.isTooOld("ab-5");
  assert.equal(reader.begin("ab-6"), true);
  assert.equal(reader.lastId, "ab-6");
  const quiet = new EventReader();
  quiet.isTooOld("ab-6");
  assert.equal(quiet.begin("ab-6"), false);
  assert.equal(new EventReader().begin("ab-6"), false);
});

test("earlier messages stay before the newest when more come, and leave no hole", () => {
  const message = (id: number): Message => ({ id: String(id) }) as Message;
  const ids = (earlier: number[], newest: number[]): string => joinedMessages(earlier.map(message), newest.map(message)).map((one) => one.id).join("");
  assert.equal(ids([], [5, 6]), "56");
  assert.equal(ids([1, 2, 3, 4, 5, 6], [6, 7]), "1234567");
  assert.equal(ids([1, 2, 3], [7, 8]), "78");
  assert.equal(ids([1, 2, 3], []), "");
});

test("labels of the map cover no other and stay in the picture", () => {
  let seed = 11;
  const random = (most: number): number => (seed = (seed * 48271) % 2147483647) % most;
  for (const places of [placesBeside, placesAround]) {
    const taken: Box[] = [];
    for (let note = 0; note < 60; note++) takePlace(places(random(600), random(400), 30 + random(120), 14, 10), taken, 600, 400);
    assert.ok(taken.length > 20);
    for (const [at, box] of taken.entries()) {
      assert.ok(box.left >= 0 && box.top >= 0 && box.right <= 600 && box.bottom <= 400);
      for (const other of taken.slice(0, at)) assert.ok(box.left >= other.right || other.left >= box.right || box.top >= other.bottom || other.top >= box.bottom);
    }
  }
});

test("a decision in the inbox is called what it was", () => {
  const change = (tool: string, reason: string): Checkpoint => ({ id: "c1", seq: 1, createdAt: null, path: "MEMORY.md", origin: "user", tool, reason, existed: true, exists: true });
  assert.equal(whatOf(change("inbox", "approve k3x9w1")), "approved in the inbox");
  assert.equal(whatOf(change("inbox", "replace k3x9w1")), "decided in the inbox");
  assert.equal(whatOf(change("notes_write", "approve")), "edited");
});
