// Notes: the tree at the left, the note that is read or edited beside it.
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useMemo, useState } from "preact/hooks";
import { call } from "../api.ts";
import { keep, kept } from "../kept.ts";
import { shortcut } from "../keys.ts";
import { Busy, Button, dayOf, Empty, Failure, Go, Text, useFocus, useTitle } from "../parts/basic.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Icon } from "../parts/icons.tsx";
import { sayFailure, sayWritten } from "../parts/toast.tsx";
import { VirtualList } from "../parts/virtual_list.tsx";
import { go, noteAddress, place, restOf, withAgent } from "../router.ts";
import { loadTree, treeError, treeRows, whoami } from "../store.ts";
import { T } from "../texts.ts";
import { filtered, foldersAround, foldersOf, linesOf, type Order, type TreeLine } from "../tree.ts";
import { later } from "../parts/later.tsx";

/** The reader brings the parser of Markdown along. */
const Note = later(async () => (await import("./note.tsx")).Note);
const ROW = 28; // pixels, as in parts.css

export function Notes({ path }: { path: string }): JSX.Element {
  const open = restOf(path, "/notes");
  const wantsNew = place.value.query.has("new");
  useLayoutEffect(() => {
    void loadTree(); // at once: an effect waits for the next frame
    void Note.load().catch(() => {});
  }, []);
  return (
    <div class={open ? "notes reading" : "notes"}>
      <Tree open={open} />
      <div class="note-side">
        {open ? <Note path={open} key={open} /> : <NoNote />}
      </div>
      {wantsNew ? <NewNote close={() => go(open ? noteAddress(open) : "/notes", { replace: true })} /> : null}
    </div>
  );
}

function NoNote(): JSX.Element {
  useTitle(T.pages.notes.name);
  const none = treeRows.value?.length === 0;
  return (
    <div class="page">
      <Empty title={none ? T.notes.none : T.notes.choose}>
        <p>{none ? T.notes.noneAbout : T.notes.chooseAbout}</p>
        <p><Go to="/notes?new=1" class="button main">{T.notes.make}</Go></p>
      </Empty>
    </div>
  );
}

function Tree({ open }: { open: string }): JSX.Element {
  const [filter, setFilter] = useState("");
  const [order, setOrder] = useState<Order>(() => kept("tree.order", "name"));
  const [folders, setFolders] = useState<ReadonlySet<string>>(() => new Set(kept<string[]>("tree.open", ["memory"])));
  const rows = treeRows.value;
  const shownFolders = useMemo(() => new Set([...folders, ...foldersAround(open)]), [folders, open]);
  const top = useMemo(() => foldersOf(rows ?? []), [rows]);
  const lines = useMemo(() => (filter.trim() ? filtered(rows ?? [], filter) : linesOf(top, shownFolders, order)), [rows, top, shownFolders, order, filter]);
  const [active, setActive] = useState(0);
  useEffect(() => {
    const at = lines.findIndex((line) => line.kind === "note" && line.path === open);
    if (at >= 0) setActive(at);
  }, [open, rows]);
  const toggle = (path: string, wanted?: boolean): void => {
    const next = new Set(folders);
    if (wanted ?? !next.has(path)) next.add(path);
    else next.delete(path);
    setFolders(next);
    keep("tree.open", [...next].slice(0, 200));
  };
  const act = (line: TreeLine | undefined): void => {
    if (!line) return;
    if (line.kind === "folder") toggle(line.path);
    else go(noteAddress(line.path));
  };
  const onKey = (event: KeyboardEvent, at: number): boolean => {
    const line = lines[at];
    if (event.key === "Enter" || event.key === " ") act(line);
    else if (event.key === "ArrowRight" && line?.kind === "folder" && !line.open) toggle(line.path, true);
    else if (event.key === "ArrowLeft" && line?.kind === "folder" && line.open) toggle(line.path, false);
    else if (event.key === "ArrowLeft") {
      const parent = lines.findLastIndex((one, place) => place < at && one.kind === "folder" && one.depth < (line?.depth ?? 0));
      if (parent < 0) return false;
      setActive(parent);
    } else return false;
    return true;
  };
  const today = `memory/${whoami.value?.today ?? dayOf(null)}.md`;
  return (
    <section class="tree" aria-label={T.notes.tree}>
      {open ? null : <h1 class="visually-hidden" tabIndex={-1}>{T.pages.notes.name}</h1>}
      <div class="tree-tools">
        <input type="search" class="filter" placeholder={T.notes.filter} aria-label={T.notes.filter} value={filter} onInput={(event) => (setFilter(event.currentTarget.value), setActive(0))} onKeyDown={(event) => event.key === "Enter" && act(lines[0])} />
        <select aria-label={T.notes.order} value={order} onChange={(event) => (setOrder(event.currentTarget.value as Order), keep("tree.order", event.currentTarget.value))}>
          <option value="name">{T.notes.byName}</option>
          <option value="date">{T.notes.byDate}</option>
        </select>
        <Button kind="quiet" icon="plus" aria-label={T.notes.make} title={T.notes.make} onClick={() => go("/notes?new=1")} />
      </div>
      <ul class="pinned" aria-label={T.notes.pinned}>
        {["MEMORY.md", today].map((path) => (
          <li key={path}><Go to={noteAddress(path)} aria-current={path === open ? "page" : undefined}><Icon name="pin" />{path === today ? T.notes.today : path}</Go></li>
        ))}
      </ul>
      <Failure text={treeError.value} again={() => void loadTree()} />
      <Busy when={!rows && !treeError.value} />
      {rows && !lines.length ? <p class="muted pad">{filter ? T.notes.noMatch(filter) : T.notes.none}</p> : null}
      {lines.length ? (
        <VirtualList
          count={lines.length} rowHeight={ROW} active={active} onActive={setActive} onKey={onKey} role="tree" label={T.notes.tree}
          rowId={(at) => `row-${at}`} row={(at, isActive) => <TreeRowView key={lines[at]!.path} line={lines[at]!} at={at} active={isActive} open={open} act={() => (setActive(at), act(lines[at]))} />}
        />
      ) : null}
      <p class="muted tree-count" aria-live="polite">{rows ? T.notes.count(filter ? lines.length : rows.length) : ""}</p>
    </section>
  );
}

function TreeRowView({ line, at, active, open, act }: { line: TreeLine; at: number; active: boolean; open: string; act: () => void }): JSX.Element {
  const click = (event: MouseEvent): void => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    act();
  };
  const selected = line.kind === "note" && line.path === open;
  return (
    <a
      id={`row-${at}`} role="treeitem" tabIndex={-1} aria-level={line.depth + 1} aria-selected={selected} aria-expanded={line.kind === "folder" ? line.open : undefined}
      class={`tree-row${active ? " active" : ""}${selected ? " selected" : ""}`} style={{ paddingLeft: `${8 + line.depth * 14}px` }} title={line.path}
      href={line.kind === "note" ? withAgent(noteAddress(line.path)) : "#"} onClick={click}
    >
      <Icon name={line.kind === "folder" ? (line.open ? "down" : "right") : "notes"} />
      <span class="tree-name"><Text>{line.name}</Text></span>
      {line.kind === "folder" ? <span class="muted">{line.count}</span> : line.note && line.note.source !== "memory" ? <span class="chip">{line.note.source}</span> : null}
    </a>
  );
}

function NewNote({ close }: { close: () => void }): JSX.Element {
  const [name, setName] = useState("memory/");
  const [failure, setFailure] = useState("");
  const field = useFocus<HTMLInputElement>();
  useEffect(() => shortcut("Escape", T.close, T.keys.here, close), []);
  const make = async (event: Event): Promise<void> => {
    event.preventDefault();
    const path = /\.md$/i.test(name.trim()) ? name.trim() : `${name.trim()}.md`;
    const title = path.slice(path.lastIndexOf("/") + 1).replace(/\.md$/i, "");
    try {
      const made = await call("PUT /notes/{path}", { path: { path }, body: { content: `# ${title}\n` }, headers: { "If-None-Match": "*" } });
      sayWritten(T.notes.made(path), [made.checkpointId]);
      go(`${noteAddress(path)}?edit=1`);
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
      if (!(error instanceof Error)) sayFailure(error);
    }
  };
  return (
    <Dialog label={T.notes.make} close={close}>
      <form onSubmit={(event) => void make(event)}>
        <h2>{T.notes.make}</h2>
        <label>{T.notes.nameLabel}<input ref={field} type="text" value={name} spellcheck={false} autocomplete="off" onInput={(event) => setName(event.currentTarget.value)} /></label>
        <p class="muted">{T.notes.nameAbout}</p>
        <Failure text={failure} />
        <div class="dialog-foot"><Button onClick={close}>{T.cancel}</Button><Button kind="main" type="submit">{T.notes.make}</Button></div>
      </form>
    </Dialog>
  );
}
