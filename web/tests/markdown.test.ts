import assert from "node:assert/strict";
import { test } from "node:test";
import { type Block, type Inline, parseMarkdown, plainOf } from "../src/markdown/parse.ts";
import { targetOf, wikiTarget } from "../src/markdown/links.ts";
import { markOf } from "../src/markdown/marks.ts";
import { partAround, pieceAt, piecesOf } from "../src/markdown/pieces.ts";

/** A short form of a tree, so that a case fits in a line. */
function shown(blocks: Block[]): string {
  return blocks.map(block).join(" ");
}
function block(one: Block): string {
  switch (one.t) {
    case "heading": return `h${one.level}(${inlines(one.inside)})`;
    case "paragraph": return `p(${inlines(one.inside)})`;
    case "code": return `code:${one.language}(${one.text})`;
    case "html": return `raw(${one.text})`;
    case "rule": return "hr";
    case "quote": return `quote(${shown(one.inside)})`;
    case "list": return `${one.ordered ? `ol${one.start}` : "ul"}${one.tight ? "" : "~"}(${one.items.map((item) => `li${item.task === null ? "" : item.task ? "[x]" : "[ ]"}(${shown(item.inside)})`).join("")})`;
    case "table": return `table:${one.aligns.map((align) => align[0] ?? "-").join("")}(${one.head.map(inlines).join("|")}/${one.rows.map((row) => row.map(inlines).join("|")).join("/")})`;
  }
}
function inlines(all: Inline[]): string {
  return all.map((one) => {
    switch (one.t) {
      case "text": return one.text.replaceAll("\n", "⏎");
      case "code": return `\`${one.text}\``;
      case "html": return `raw<${one.text}>`;
      case "em": case "strong": case "strike": return `${one.t}(${inlines(one.inside)})`;
      case "link": return `a[${one.href}](${inlines(one.inside)})`;
      case "image": return `img[${one.href}](${one.alt})`;
      case "wiki": return `wiki(${one.name}|${one.label})`;
      case "mark": return `mark(${one.mark.kind})`;
      case "break": return "br";
    }
  }).join("");
}

const CASES: Array<[string, string]> = [
  ["# One", "h1(One)"],
  ["### Three ###", "h3(Three)"],
  ["Two\n===", "h1(Two)"],
  ["Two\nlines\n---", "h2(Two⏎lines)"],
  ["a\nb", "p(a⏎b)"],
  ["a  \nb", "p(abrb)"],
  ["a\\\nb", "p(abrb)"],
  ["a\n\nb", "p(a) p(b)"],
  ["*a* **b** ~~c~~", "p(em(a) strong(b) strike(c))"],
  ["***a***", "p(em(strong(a)))"],
  ["snake_case_name", "p(snake_case_name)"],
  ["`` a`b ``", "p(`a`b`)"],
  ["\\*not\\*", "p(*not*)"],
  ["&amp; &#65; &copy; &unknown;", "p(& A © &unknown;)"],
  ["- a\n- b", "ul(li(p(a))li(p(b)))"],
  ["- a\n\n- b", "ul~(li(p(a))li(p(b)))"],
  ["- a\n  - b\n- c", "ul(li(p(a) ul(li(p(b))))li(p(c)))"],
  ["3. a\n4. b", "ol3(li(p(a))li(p(b)))"],
  ["- [ ] a\n- [x] b", "ul(li[ ](p(a))li[x](p(b)))"],
  ["- a\n  goes on", "ul(li(p(a⏎goes on)))"],
  ["> a\n> b", "quote(p(a⏎b))"],
  ["> - a", "quote(ul(li(p(a))))"],
  ["```py\nx = 1\n\ny\n```", "code:py(x = 1\n\ny)"],
  ["    indented", "code:(indented)"],
  ["***", "hr"],
  ["| a | b |\n|:--|--:|\n| 1 | *2* |", "table:lr(a|b/1|em(2))"],
  ["[a](https://x.test/ \"t\")", "p(a[https://x.test/](a))"],
  ["[a](<b c.md>)", "p(a[b c.md](a))"],
  ["[a][r]\n\n[r]: https://x.test", "p(a[https://x.test](a))"],
  ["[r]\n\n[r]: /u.md", "p(a[/u.md](r))"],
  ["[nothing]", "p([nothing])"],
  ["<https://x.test>", "p(a[https://x.test](https://x.test))"],
  ["see https://x.test/a.", "p(see a[https://x.test/a](https://x.test/a).)"],
  ["![a *b*](p.png)", "p(img[p.png](a b))"],
  ["[[harbour]] and [[a|b]]", "p(wiki(harbour|harbour) and wiki(a|b))"],
  ["<script>alert(1)</script>", "raw(<script>alert(1)</script>)"],
  ["a <b onclick=x>c</b>", "p(a raw<<b onclick=x>>craw<</b>>)"],
  ["- I live here <!-- fact id=abc origin=api -->", "ul(li(p(I live here mark(fact))))"],
  ["a <!-- other -->", "p(a raw<<!-- other -->>)"],
  ["", ""],
];

for (const [text, wanted] of CASES) {
  test(`Markdown ${JSON.stringify(text)} is read as CommonMark and GFM say`, () => {
    assert.equal(shown(parseMarkdown(text)), wanted);
  });
}

test("every block and item says on which lines it stands", () => {
  const [heading, list] = parseMarkdown("# A\n\n- b\n- c\n  d\n");
  assert.deepEqual([heading!.line, heading!.end], [1, 1]);
  assert.ok(list?.t === "list");
  assert.deepEqual(list.items.map((item) => [item.line, item.end]), [[3, 3], [4, 5]]);
});

test("a mark of a fact is read with its fields, and nothing else is taken for one", () => {
  assert.deepEqual(markOf('<!-- fact id=a origin=api rule="x y" -->'), { kind: "fact", fields: { id: "a", origin: "api", rule: "x y" } });
  assert.equal(markOf("<!-- facts id=a -->"), null);
  assert.equal(markOf("<!-- fact id=a --> <img src=x>"), null);
});

test("what a heading says is its plain text", () => {
  const [heading] = parseMarkdown("# A *b* `c`");
  assert.ok(heading?.t === "heading");
  assert.equal(plainOf(heading.inside), "A b c");
});

const REFUSED = [
  "", "javascript:alert(1)", "JaVaScRiPt:alert(1)", "java\tscript:alert(1)", "\u0001javascript:alert(1)", " javascript:alert(1)",
  "data:text/html,x", "vbscript:x", "file:///etc/passwd", "blob:x", "about:blank", "ftp://x.test", "//evil.test", "///evil.test",
  "\\\\evil.test", "/\\evil.test", "https:evil.test", "https:/evil.test", "https:///", "https://a@evil.test", "https://user:pw@evil.test/",
  "https://bank.test%40evil.test@evil.test", "http://", "https://x\u202e.test", "https://x.test/a b", "mailto:", "mailto:a@b.test?bcc=c@d.test",
  "../../../etc/passwd.md", "note.html", "memory/a.md?x=1", "%2f%2fevil.test/a.md", "memory/%00.md", "memory/a%5cb.md", "intent://x#Intent;end", "x".repeat(2001),
];
for (const href of REFUSED) {
  test(`a link to ${JSON.stringify(href.slice(0, 40))} leads nowhere`, () => assert.equal(targetOf(href, "memory/a.md").kind, "none"));
}

test("links lead to notes, to the web with its host shown, to the post, or to this page", () => {
  assert.deepEqual(targetOf("b.md", "memory/work/a.md"), { kind: "note", path: "memory/work/b.md", line: null });
  assert.deepEqual(targetOf("../b%20c.md#12", "memory/work/a.md"), { kind: "note", path: "memory/b c.md", line: 12 });
  assert.deepEqual(targetOf("memory/x.md#L3", "memory/work/a.md"), { kind: "note", path: "memory/x.md", line: 3 });
  assert.deepEqual(targetOf("/MEMORY.md"), { kind: "note", path: "MEMORY.md", line: null });
  assert.deepEqual(targetOf("https://пример.test/a"), { kind: "web", href: "https://xn--e1afmkfd.test/a", host: "xn--e1afmkfd.test" });
  assert.deepEqual(targetOf("mailto:a@b.test"), { kind: "mail", href: "mailto:a@b.test" });
  assert.deepEqual(targetOf("#top"), { kind: "here", anchor: "top" });
});

test("long lists, tables and code are cut into pieces that know their lines", () => {
  const many = (count: number, line: (at: number) => string): string => Array.from({ length: count }, (_, at) => line(at)).join("\n");
  const text = `# A\n\n${many(250, (at) => `${at + 5}. item`)}\n\n| a |\n|---|\n${many(230, (at) => `| ${at} |`)}\n\n\`\`\`\n${many(2100, (at) => `code ${at}`)}\n\`\`\`\n`;
  const whole = parseMarkdown(text);
  const pieces = piecesOf(whole);
  assert.deepEqual(pieces.map((one) => one.t), ["heading", "list", "list", "list", "table", "table", "table", "code", "code", "code"]);
  assert.deepEqual(pieces.flatMap((one) => (one.t === "list" ? [one.start] : [])), [5, 105, 205]);
  const lines = text.split("\n");
  assert.equal(lines[pieces[2]!.line - 1], "105. item");
  assert.equal(lines[pieces[5]!.line - 1], "| 100 |");
  assert.equal(lines[pieces[8]!.line - 1], "code 1000");
  assert.equal(pieces.at(-1)!.t === "code" && pieces.at(-1)!.line, lines.indexOf("code 2000") + 1);
  for (const [at, one] of pieces.entries()) assert.equal(pieceAt(pieces, one.line), at);
  assert.equal(pieceAt(pieces, 10_000), pieces.length - 1);
  assert.deepEqual(piecesOf(parseMarkdown("a\n\n- b\n- c")), parseMarkdown("a\n\n- b\n- c"));
});

test("a part is drawn around one block, whatever the others cost", () => {
  const pieces = piecesOf(parseMarkdown(Array.from({ length: 1000 }, (_, at) => `p ${at}\n\n`).join("")));
  assert.deepEqual(partAround(pieces, 500, 100, 400), { first: 400, last: 900 });
  assert.deepEqual(partAround(pieces, 0, 100, 400), { first: 0, last: 400 });
  assert.deepEqual(partAround(pieces, 999, 100, 400), { first: 899, last: 1000 });
  assert.deepEqual(partAround([], 0, 100, 400), { first: 0, last: 0 });
  const list = piecesOf(parseMarkdown(Array.from({ length: 1000 }, () => "- item").join("\n")));
  assert.deepEqual(partAround(list, 5, 100, 400), { first: 4, last: 9 });
});

test("[[a name]] is the note of that path, or of that name where there is one only", () => {
  const paths = ["MEMORY.md", "memory/harbour.md", "memory/a/plan.md", "memory/b/plan.md"];
  assert.equal(wikiTarget("Harbour", paths), "memory/harbour.md");
  assert.equal(wikiTarget("memory/a/plan", paths), "memory/a/plan.md");
  assert.equal(wikiTarget("plan", paths), null);
  assert.equal(wikiTarget("nothing", paths), null);
});
