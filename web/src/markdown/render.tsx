// The tree of a note → nodes. Tags are shown as text, pictures are never fetched, links lead where links.ts allows.
import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { Go, Text } from "../parts/basic.tsx";
import { noteAddress } from "../router.ts";
import type { Run } from "../shapes.ts";
import { T } from "../texts.ts";
import { targetOf, wikiTarget } from "./links.ts";
import { type Block, type Inline, type Item, plainOf } from "./parse.ts";

export interface Reading {
  base: string;
  paths: readonly string[];
  /** Whose lines they are; empty where that is not shown. */
  runs: readonly Run[];
  marked: number | null;
}

const TRUST = ["import", "mcp_tool", "api", "agent", "auto_capture", "outside", "user"];

/** Whose the lines are; of several the one that is trusted least. */
export function runOf(runs: readonly Run[], line: number, end: number): Run | null {
  let found: Run | null = null;
  const rank = (run: Run): number => (run.origin ? TRUST.indexOf(run.origin) : TRUST.length);
  for (const run of runs) if (run.from <= end && run.to >= line && (!found || rank(run) < rank(found))) found = run;
  return found;
}

export function Markdown({ blocks, reading }: { blocks: Block[]; reading: Reading }): JSX.Element {
  const before: { run: Run | null } = { run: null };
  return <div class={reading.runs.length ? "markdown with-origins" : "markdown"}>{blocks.map((block) => drawBlock(block, reading, before))}</div>;
}

type Before = { run: Run | null };

/** Whose line it is, said where it begins to be another's. */
function whose(line: number, end: number, reading: Reading, before: Before): JSX.Element | null {
  const run = runOf(reading.runs, line, end);
  if (!run?.origin || (before.run?.origin === run.origin && before.run.checkpoint === run.checkpoint)) return null;
  before.run = run;
  const name = T.origins[run.origin as keyof typeof T.origins]?.name ?? run.origin;
  const text = <span class={`origin origin-${run.origin}`}>{name}</span>;
  return <span class="whose">{run.checkpoint ? <Go to={`/history/${run.checkpoint}`} title={T.note.changedAt(run.at)} aria-label={T.note.whoseLine(name, line)}>{text}</Go> : text}</span>;
}

/** Each block runs as its own first letter does (`dir="auto"`): a note may be in Arabic, or quote some. */
function drawBlock(block: Block, reading: Reading, before: Before): JSX.Element {
  const mark = reading.marked !== null && block.line <= reading.marked && block.end >= reading.marked && block.t !== "list" ? " marked" : "";
  const tag = block.t === "list" ? null : whose(block.line, block.end, reading, before);
  const box = (inside: ComponentChildren): JSX.Element => <div class={`block${mark}`} data-line={block.line} data-end={block.end} key={block.line}>{tag}{inside}</div>;
  switch (block.t) {
    case "heading": {
      const Tag = `h${Math.min(6, block.level + 1)}` as "h2";
      return box(<Tag dir="auto" id={anchorOf(plainOf(block.inside))} class={`md-h${block.level}`}>{drawInlines(block.inside, reading)}</Tag>);
    }
    case "paragraph":
      return box(<p dir="auto">{drawInlines(block.inside, reading)}</p>);
    case "code":
      return box(<pre tabIndex={0}><code><Text>{block.text}</Text></code></pre>);
    case "html":
      return box(<pre class="raw" title={T.note.raw}><Text>{block.text}</Text></pre>);
    case "rule":
      return box(<hr />);
    case "quote":
      return box(<blockquote>{block.inside.map((one) => drawBlock(one, { ...reading, runs: [] }, before))}</blockquote>);
    case "list": {
      const items = block.items.map((item) => drawItem(item, block.tight, reading, before));
      return block.ordered ? <ol dir="auto" start={block.start} key={block.line}>{items}</ol> : <ul dir="auto" key={block.line} class={block.items.every((item) => item.task !== null) ? "tasks" : undefined}>{items}</ul>;
    }
    case "table":
      return box(drawTable(block, reading));
  }
}

function drawItem(item: Item, tight: boolean, reading: Reading, before: Before): JSX.Element {
  const first = item.inside[0];
  const end = first && first.t !== "list" ? first.end : item.line;
  const mark = reading.marked !== null && item.line <= reading.marked && end >= reading.marked ? "marked" : undefined;
  const tag = whose(item.line, end, reading, before);
  const box = item.task === null ? null : <input type="checkbox" checked={item.task} disabled aria-label={item.task ? T.note.done : T.note.open} />;
  return (
    <li class={item.task === null ? mark : `task ${mark ?? ""}`} data-line={item.line} data-end={end} key={item.line}>
      {tag}
      {box}
      {item.inside.map((block) => (tight && block.t === "paragraph" ? <span key={block.line}>{drawInlines(block.inside, reading)}</span> : block.t === "list" ? drawBlock(block, reading, before) : drawBlock(block, { ...reading, runs: [], marked: null }, before)))}
    </li>
  );
}

function drawTable(block: Extract<Block, { t: "table" }>, reading: Reading): JSX.Element {
  const cell = (at: number): string | undefined => (block.aligns[at] ? `align-${block.aligns[at]}` : undefined);
  return (
    <div class="table-box" tabIndex={0} role="group" aria-label={T.note.table}>
      <table dir="auto">
        <thead><tr>{block.head.map((one, at) => <th key={at} scope="col" class={cell(at)}>{drawInlines(one, reading)}</th>)}</tr></thead>
        <tbody>{block.rows.map((row, place) => <tr key={place}>{row.map((one, at) => <td key={at} class={cell(at)}>{drawInlines(one, reading)}</td>)}</tr>)}</tbody>
      </table>
    </div>
  );
}

export function drawInlines(inlines: Inline[], reading: Reading): ComponentChildren {
  return inlines.map((one, at) => drawInline(one, at, reading));
}

function drawInline(one: Inline, key: number, reading: Reading): ComponentChildren {
  switch (one.t) {
    case "text":
      return <Text key={key}>{one.text}</Text>;
    case "code":
      return <code key={key}><Text>{one.text}</Text></code>;
    case "html":
      return <code key={key} class="raw" title={T.note.raw}><Text>{one.text}</Text></code>;
    case "em":
      return <em key={key}>{drawInlines(one.inside, reading)}</em>;
    case "strong":
      return <strong key={key}>{drawInlines(one.inside, reading)}</strong>;
    case "strike":
      return <s key={key}>{drawInlines(one.inside, reading)}</s>;
    case "break":
      return <br key={key} />;
    case "link":
      return <Linked key={key} href={one.href} reading={reading}>{drawInlines(one.inside, reading)}</Linked>;
    case "wiki": {
      const path = wikiTarget(one.name, reading.paths);
      return path ? <Go key={key} to={noteAddress(path)}><Text>{one.label}</Text></Go> : <span key={key} class="no-link" title={T.note.noSuchNote}><Text>{`[[${one.label}]]`}</Text></span>;
    }
    case "image":
      return <Picture key={key} href={one.href} alt={one.alt} />;
    case "mark":
      return <MarkChip key={key} mark={one.mark} />;
  }
}

function Linked({ href, reading, children }: { href: string; reading: Reading; children: ComponentChildren }): JSX.Element {
  const target = targetOf(href, reading.base);
  switch (target.kind) {
    case "note":
      return <Go to={noteAddress(target.path, target.line ?? undefined)}>{children}</Go>;
    case "here":
      return <a href={`#${anchorOf(target.anchor)}`}>{children}</a>;
    case "web":
      return <a href={target.href} target="_blank" rel="noopener noreferrer">{children}<span class="host"><Text>{target.host}</Text></span></a>;
    case "mail":
      return <a href={target.href} rel="noopener noreferrer">{children}</a>;
    case "none":
      return <span class="no-link" title={T.note.refusedLink}>{children}<span class="host"><Text>{href.slice(0, 120)}</Text></span></span>;
  }
}

/** A picture is a word that can be opened to its address: to fetch it would tell somebody that the note was read. */
function Picture({ href, alt }: { href: string; alt: string }): JSX.Element {
  const [open, setOpen] = useState(false);
  return (
    <span class="picture">
      <button type="button" aria-expanded={open} onClick={() => setOpen(!open)}>{T.note.picture(alt)}</button>
      {open ? <code><Text>{href}</Text></code> : null}
    </span>
  );
}

function MarkChip({ mark }: { mark: { kind: string; fields: Record<string, string> } }): JSX.Element {
  const { id, origin, observed, superseded_by: newer } = mark.fields;
  const said = Object.entries(mark.fields).map(([name, value]) => `${name} ${value}`).join(", ");
  const words = [T.marks[mark.kind as keyof typeof T.marks] ?? mark.kind, origin, observed].filter(Boolean).join(" · ");
  if (mark.kind === "waits") return <Go to="/inbox" class="chip waits" title={said}><Text>{words}</Text></Go>;
  return id ? <Go to={`/facts/${encodeURIComponent(id)}`} class={newer ? "chip old" : "chip"} title={said}><Text>{words}</Text></Go> : <span class="chip" title={said}><Text>{words}</Text></span>;
}

export function anchorOf(text: string): string {
  return "h-" + text.trim().toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "");
}
