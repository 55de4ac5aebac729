import assert from "node:assert/strict";
import { test } from "node:test";
import { merge3 } from "../src/merge.ts";

test("changes of different lines are both kept", () => {
  assert.deepEqual(merge3("a\nb\nc\nd\n", "A\nb\nc\nd\n", "a\nb\nc\nD\n"), { text: "A\nb\nc\nD\n", clashes: 0 });
});

test("the same change on both sides is made once", () => {
  assert.deepEqual(merge3("a\nb\n", "a\nx\n", "a\nx\n"), { text: "a\nx\n", clashes: 0 });
});

test("where both changed a line, theirs and then yours stand there, and it is counted", () => {
  assert.deepEqual(merge3("a\nb\nc\n", "a\nyours\nc\n", "a\ntheirs\nc\n"), { text: "a\ntheirs\nyours\nc\n", clashes: 1 });
});

test("lines added at the same place are both kept", () => {
  const made = merge3("a\n", "a\nyours\n", "a\ntheirs\n");
  assert.ok(made.text.includes("yours") && made.text.includes("theirs"));
});

test("a side that changed nothing takes what the other made", () => {
  let seed = 3;
  const random = (most: number): number => (seed = (seed * 48271) % 2147483647) % most;
  const text = (): string => Array.from({ length: random(9) }, () => "abcd"[random(4)]).join("\n");
  for (let round = 0; round < 300; round++) {
    const [base, other] = [text(), text()];
    assert.equal(merge3(base, base, other).text, other);
    assert.equal(merge3(base, other, base).text, other);
  }
});
