// The nodes that a note becomes, walked without a browser: whatever stands in it, none is active, and no address leads
// where it must not.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ComponentChildren, VNode } from "preact";
import { parseMarkdown } from "../src/markdown/parse.ts";
import { Markdown, runOf } from "../src/markdown/render.tsx";
import { Marked } from "../src/pages/search_hit.tsx";
import { PAYLOADS } from "./payloads.ts";

const ALLOWED = new Set(["div", "p", "span", "code", "pre", "em", "strong", "s", "br", "a", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "input", "hr", "blockquote", "table", "thead", "tbody", "tr", "th", "td", "mark", "button"]);
const HREF = /^(?:\/(?!\/)|#|https?:\/\/[^/@]+(?:[/?#]|$)|mailto:[^?]+$)/;

/** Every element, with components called; one that keeps a state stands for itself. */
function* elements(node: ComponentChildren): Generator<VNode<Record<string, unknown>>> {
  if (Array.isArray(node)) {
    for (const one of node) yield* elements(one as ComponentChildren);
    return;
  }
  if (node === null || typeof node !== "object") return;
  const vnode = node as VNode<Record<string, unknown>>;
  if (typeof vnode.type === "function") {
    if (vnode.type.name === "Picture") {
      yield { ...vnode, type: "button", props: { children: null } };
      return;
    }
    yield* elements((vnode.type as (props: unknown) => ComponentChildren)(vnode.props));
    return;
  }
  yield vnode;
  yield* elements(vnode.props.children as ComponentChildren);
}

function checked(node: ComponentChildren, what: string): number {
  let count = 0;
  for (const element of elements(node)) {
    count++;
    assert.ok(ALLOWED.has(String(element.type)), `${String(element.type)} for ${what}`);
    for (const [name, value] of Object.entries(element.props)) {
      assert.ok(!/^on/i.test(name) || typeof value === "function", `${name} for ${what}`);
      assert.ok(!/^(?:src|srcset|action|formaction|data|style|ping|background|poster)$/i.test(name), `${name} for ${what}`);
      if (name === "href") assert.match(String(value), HREF, what);
    }
    if (element.props.target === "_blank") assert.equal(element.props.rel, "noopener noreferrer");
  }
  return count;
}

const reading = { base: "memory/a.md", paths: ["memory/a.md"], runs: [{ from: 1, to: 9, origin: "agent", checkpoint: "c1", at: null }], marked: 1 };

test(`${PAYLOADS.length} payloads become text, alone and within every kind of block`, () => {
  assert.ok(PAYLOADS.length >= 120);
  for (const payload of PAYLOADS)
    for (const text of [payload, `# ${payload}`, `- ${payload}`, `> ${payload}`, `| ${payload} |\n|--|\n| ${payload} |`, `**${payload}** [a](${payload}) ![b](${payload}) [[${payload}]] <${payload}>`, `[r]: ${payload}\n\n[r]`, `x <!-- fact id=${payload} -->`])
      assert.ok(checked(Markdown({ blocks: parseMarkdown(text), reading }), text) > 0);
});

test("the words of a question are marked, and nothing in a hit is active", () => {
  for (const payload of PAYLOADS) checked(Marked({ text: `before ${payload} after`, query: payload }), payload);
  const marked = [...elements(Marked({ text: "The harbour opens.", query: "harbour opened" }))].filter((one) => one.type === "mark");
  assert.equal(marked.length, 2);
});

test("of several origins in a block the one trusted least is told", () => {
  const runs = [{ from: 1, to: 2, origin: "user", checkpoint: null, at: null }, { from: 3, to: 3, origin: "import", checkpoint: null, at: null }, { from: 4, to: 9, origin: "agent", checkpoint: null, at: null }];
  assert.equal(runOf(runs, 1, 2)?.origin, "user");
  assert.equal(runOf(runs, 1, 5)?.origin, "import");
  assert.equal(runOf(runs, 4, 4)?.origin, "agent");
  assert.equal(runOf(runs, 12, 12), null);
});
