// Markdown text → a tree of plain values, which render.tsx makes into nodes. No HTML string anywhere: tags in a note
// are its text.
import type { SyntaxNode, Tree } from "@lezer/common";
import { GFM, parser } from "@lezer/markdown";
import { decodeEntity } from "./entities.ts";
import { type Mark, markOf } from "./marks.ts";

export type Inline =
  | { t: "text" | "code" | "html"; text: string }
  | { t: "em" | "strong" | "strike"; inside: Inline[] }
  | { t: "link"; href: string; inside: Inline[] }
  | { t: "image"; href: string; alt: string }
  | { t: "wiki"; name: string; label: string }
  | { t: "mark"; mark: Mark }
  | { t: "break" };

export type Block = { line: number; end: number } & (
  | { t: "heading"; level: number; inside: Inline[] }
  | { t: "paragraph"; inside: Inline[] }
  | { t: "code"; language: string; text: string }
  | { t: "html"; text: string }
  | { t: "rule" }
  | { t: "quote"; inside: Block[] }
  | { t: "list"; ordered: boolean; start: number; tight: boolean; items: Item[] }
  | { t: "table"; aligns: Align[]; head: Inline[][]; rows: Inline[][][] }
);
export interface Item { line: number; end: number; task: boolean | null; inside: Block[] }
export type Align = "left" | "center" | "right" | "";

const reader = parser.configure(GFM);

export function parseTree(text: string): Tree {
  return reader.parse(text);
}

export function parseMarkdown(text: string): Block[] {
  const walker = new Walker(text);
  return walker.blocks(parseTree(text).topNode);
}

const SKIPPED = new Set(["HeaderMark", "QuoteMark", "ListMark", "EmphasisMark", "CodeMark", "LinkMark", "StrikethroughMark", "TaskMarker", "TableDelimiter"]);

class Walker {
  private readonly starts: number[] = [0];
  private readonly references = new Map<string, string>();

  constructor(private readonly text: string) {
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) this.starts.push(at + 1);
  }

  blocks(parent: SyntaxNode): Block[] {
    if (parent.name === "Document") this.findReferences(parent);
    const found: Block[] = [];
    for (let node = parent.firstChild; node; node = node.nextSibling) {
      const block = this.block(node);
      if (block) found.push({ ...block, line: this.lineAt(node.from), end: this.lineAt(Math.max(node.from, node.to - 1)) } as Block);
    }
    return found;
  }

  private lineAt(offset: number): number {
    let low = 0;
    let high = this.starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  }

  private slice(node: { from: number; to: number }): string {
    return this.text.slice(node.from, node.to);
  }

  private findReferences(top: SyntaxNode): void {
    top.cursor().iterate((node) => {
      if (node.name !== "LinkReference") return;
      const label = node.node.getChild("LinkLabel");
      const url = node.node.getChild("URL");
      if (!label || !url) return;
      const key = keyOf(this.slice(label));
      if (!this.references.has(key)) this.references.set(key, addressIn(this.slice(url)));
    });
  }

  private block(node: SyntaxNode): object | null {
    const heading = /^(?:ATX|Setext)Heading(\d)$/.exec(node.name);
    if (heading) return { t: "heading", level: Number(heading[1]), inside: this.inlines(node) };
    switch (node.name) {
      case "Paragraph":
      case "Task":
        return { t: "paragraph", inside: this.inlines(node) };
      case "Blockquote":
        return { t: "quote", inside: this.blocks(node) };
      case "BulletList":
      case "OrderedList":
        return this.list(node);
      case "FencedCode":
      case "CodeBlock":
        return this.code(node);
      case "Table":
        return this.table(node);
      case "HorizontalRule":
        return { t: "rule" };
      case "HTMLBlock":
      case "ProcessingInstructionBlock":
        return { t: "html", text: this.slice(node) };
      case "CommentBlock": {
        const mark = markOf(this.slice(node));
        return mark ? { t: "paragraph", inside: [{ t: "mark", mark }] } : { t: "html", text: this.slice(node) };
      }
      default:
        return null;
    }
  }

  private list(node: SyntaxNode): object {
    const items: Item[] = [];
    for (const child of node.getChildren("ListItem")) {
      const marker = child.getChild("Task")?.getChild("TaskMarker");
      const task = marker ? /x/i.test(this.slice(marker)) : null;
      items.push({ line: this.lineAt(child.from), end: this.lineAt(Math.max(child.from, child.to - 1)), task, inside: this.blocks(child) });
    }
    const number = node.name === "OrderedList" ? parseInt(this.slice(node), 10) : 1;
    return { t: "list", ordered: node.name === "OrderedList", start: Number.isFinite(number) ? number : 1, tight: this.isTight(items), items };
  }

  /** Loose where a blank line stands between two items, or between two blocks of one. */
  private isTight(items: Item[]): boolean {
    return items.every((item, at) => {
      const next = items[at + 1];
      if (next && next.line > item.end + 1) return false;
      return item.inside.every((block, place) => {
        const after = item.inside[place + 1];
        return !after || after.line <= block.end + 1;
      });
    });
  }

  private code(node: SyntaxNode): object {
    const info = node.getChild("CodeInfo");
    const text = node.getChildren("CodeText").map((piece) => this.slice(piece)).join("");
    return { t: "code", language: info ? this.slice(info).split(/\s/)[0] : "", text };
  }

  private table(node: SyntaxNode): object {
    const header = node.getChild("TableHeader");
    const cells = (row: SyntaxNode): Inline[][] => row.getChildren("TableCell").map((cell) => this.inlines(cell));
    const line = node.getChildren("TableDelimiter").map((piece) => this.slice(piece)).find((piece) => piece.includes("-")) ?? "";
    const aligns = line.replace(/^\s*\||\|\s*$/g, "").split("|").map(alignOf);
    return { t: "table", aligns, head: header ? cells(header) : [], rows: node.getChildren("TableRow").map(cells) };
  }

  /** What stands in a node: its children, and the text between them. */
  inlines(node: SyntaxNode, from = node.from, to = node.to): Inline[] {
    const found: Inline[] = [];
    let at = from;
    for (let child = node.firstChild; child; child = child.nextSibling) {
      if (child.from < from || child.to > to) continue;
      if (child.from > at) found.push({ t: "text", text: this.text.slice(at, child.from) });
      found.push(...this.inline(child));
      at = child.to;
    }
    if (at < to) found.push({ t: "text", text: this.text.slice(at, to) });
    return tidied(found);
  }

  private inline(node: SyntaxNode): Inline[] {
    if (SKIPPED.has(node.name)) return [];
    const text = this.slice(node);
    switch (node.name) {
      case "Emphasis":
        return [{ t: "em", inside: this.inlines(node) }];
      case "StrongEmphasis":
        return [{ t: "strong", inside: this.inlines(node) }];
      case "Strikethrough":
        return [{ t: "strike", inside: this.inlines(node) }];
      case "InlineCode":
        return [{ t: "code", text: codeIn(text) }];
      case "Escape":
        return [{ t: "text", text: text.slice(1) }];
      case "Entity":
        return [{ t: "text", text: decodeEntity(text) }];
      case "HardBreak":
        return [{ t: "break" }];
      case "Link":
        return this.link(node);
      case "Image":
        return this.image(node);
      case "URL":
        return [{ t: "link", href: /^[\w.+-]+@[\w.-]+$/.test(text) ? `mailto:${text}` : /^www\./i.test(text) ? `https://${text}` : text, inside: [{ t: "text", text }] }];
      case "Autolink": {
        const inner = text.slice(1, -1);
        return [{ t: "link", href: /^[^:\s]+@[^\s]+$/.test(inner) ? `mailto:${inner}` : inner, inside: [{ t: "text", text: inner }] }];
      }
      case "Comment": {
        const mark = markOf(text);
        return [mark ? { t: "mark", mark } : { t: "html", text }];
      }
      case "HTMLTag":
      case "ProcessingInstruction":
        return [{ t: "html", text }];
      default:
        return [{ t: "text", text }];
    }
  }

  private link(node: SyntaxNode): Inline[] {
    const marks = node.getChildren("LinkMark");
    const open = marks[0];
    const close = marks[1];
    if (!open || !close) return [{ t: "text", text: this.slice(node) }];
    const inside = this.inlines(node, open.to, close.from);
    const href = this.hrefOf(node, open.to, close.from);
    if (href !== null) return [{ t: "link", href, inside }];
    // A reference that leads nowhere is no link: its brackets are text, and perhaps those of [[a name]].
    return [{ t: "text", text: "[" }, ...inside, { t: "text", text: this.text.slice(close.from, node.to) }];
  }

  private image(node: SyntaxNode): Inline[] {
    const marks = node.getChildren("LinkMark");
    const alt = marks[0] && marks[1] ? plainOf(this.inlines(node, marks[0].to, marks[1].from)) : "";
    const href = marks[0] && marks[1] ? this.hrefOf(node, marks[0].to, marks[1].from) : null;
    return href === null ? [{ t: "text", text: this.slice(node) }] : [{ t: "image", href, alt }];
  }

  private hrefOf(node: SyntaxNode, from: number, to: number): string | null {
    const url = node.getChildren("URL").find((one) => one.from >= to);
    if (url) return addressIn(this.slice(url));
    if (this.text[to + 1] === "(") return "";
    const label = node.getChild("LinkLabel");
    const named = label ? this.slice(label) : "";
    return this.references.get(keyOf(named.length > 2 ? named : `[${this.text.slice(from, to)}]`)) ?? null;
  }
}

export function plainOf(inlines: Inline[]): string {
  return inlines.map((one) => ("inside" in one ? plainOf(one.inside) : "text" in one ? one.text : one.t === "wiki" ? one.label : one.t === "image" ? one.alt : "")).join("");
}

function keyOf(label: string): string {
  return label.slice(1, -1).trim().replace(/\s+/g, " ").toLowerCase();
}

function addressIn(written: string): string {
  const bare = written.startsWith("<") && written.endsWith(">") ? written.slice(1, -1) : written;
  return bare.replace(/\\([!-/:-@[-`{-~])/g, "$1").replace(/&#?\w+;/g, decodeEntity);
}

function codeIn(text: string): string {
  const ticks = /^`+/.exec(text)?.[0].length ?? 1;
  const inner = text.slice(ticks, -ticks).replaceAll("\n", " ");
  return inner.startsWith(" ") && inner.endsWith(" ") && inner.trim() ? inner.slice(1, -1) : inner;
}

function alignOf(cell: string): Align {
  const bare = cell.trim();
  if (bare.startsWith(":")) return bare.endsWith(":") && bare.length > 1 ? "center" : "left";
  return bare.endsWith(":") ? "right" : "";
}

const WIKI = /\[\[([^[\]|\n]{1,200})(?:\|([^[\]\n]{1,200}))?\]\]/g;

/** Neighbouring texts as one, without the indent of continued lines and the blanks around; `[[names]]` taken out. */
function tidied(inlines: Inline[]): Inline[] {
  const joined: Inline[] = [];
  for (const one of inlines) {
    const last = joined.at(-1);
    if (one.t === "text" && last?.t === "text") joined[joined.length - 1] = { t: "text", text: last.text + one.text };
    else joined.push(one);
  }
  return joined.flatMap((one, at): Inline[] => {
    if (one.t !== "text") return [one];
    let text = one.text.replace(/[ \t]*\n[ \t]*/g, "\n");
    if (at === 0) text = text.replace(/^\s+/, "");
    if (at === joined.length - 1) text = text.replace(/\s+$/, "");
    return text ? wikis(text) : [];
  });
}

function wikis(text: string): Inline[] {
  const found: Inline[] = [];
  let at = 0;
  for (const match of text.matchAll(WIKI)) {
    if (match.index > at) found.push({ t: "text", text: text.slice(at, match.index) });
    found.push({ t: "wiki", name: match[1]!, label: match[2] ?? match[1]! });
    at = match.index + match[0].length;
  }
  if (at < text.length) found.push({ t: "text", text: text.slice(at) });
  return found;
}
