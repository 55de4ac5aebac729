// Paths of notes → the rows of a tree: folders that are open, filtered, by name or by date.
import type { TreeRow } from "./shapes.ts";

export type Order = "name" | "date";
export interface TreeLine { kind: "folder" | "note"; path: string; name: string; depth: number; open: boolean; count: number; note: TreeRow | null }

interface Folder { path: string; name: string; folders: Map<string, Folder>; notes: TreeRow[]; count: number; newest: number }

const folder = (path: string, name: string): Folder => ({ path, name, folders: new Map(), notes: [], count: 0, newest: 0 });

export function foldersOf(rows: readonly TreeRow[]): Folder {
  const top = folder("", "");
  let around: Folder[] = [top]; // the folders of the row before: by path, most rows have the same
  let place = "";
  for (const row of rows) {
    const here = row.path.slice(0, Math.max(0, row.path.lastIndexOf("/")));
    if (here !== place) {
      around = folderChain(top, here);
      place = here;
    }
    around[around.length - 1]!.notes.push(row);
    for (const one of around) {
      one.count++;
      if (row.modified > one.newest) one.newest = row.modified;
    }
  }
  return top;
}

/** The folders down to a place, from the top; those that are new are made. */
function folderChain(top: Folder, place: string): Folder[] {
  const chain = [top];
  for (const name of place ? place.split("/") : []) {
    const here = chain[chain.length - 1]!;
    let next = here.folders.get(name);
    if (!next) {
      next = folder(here.path ? `${here.path}/${name}` : name, name);
      here.folders.set(name, next);
    }
    chain.push(next);
  }
  return chain;
}

const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

export function linesOf(top: Folder, open: ReadonlySet<string>, order: Order): TreeLine[] {
  const made: TreeLine[] = [];
  const visit = (here: Folder, depth: number): void => {
    const folders = [...here.folders.values()];
    folders.sort((a, b) => (order === "date" ? b.newest - a.newest : 0) || collator.compare(a.name, b.name));
    for (const one of folders) {
      const isOpen = open.has(one.path);
      made.push({ kind: "folder", path: one.path, name: one.name, depth, open: isOpen, count: one.count, note: null });
      if (isOpen) visit(one, depth + 1);
    }
    const notes = [...here.notes];
    notes.sort((a, b) => (order === "date" ? b.modified - a.modified : 0) || collator.compare(a.path, b.path));
    for (const note of notes) made.push({ kind: "note", path: note.path, name: nameOf(note.path), depth, open: false, count: 0, note });
  };
  visit(top, 0);
  return made;
}

/** Every word of the filter must be in the path; names that begin with it come first. */
export function filtered(rows: readonly TreeRow[], filter: string, most = 2000): TreeLine[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const found: Array<{ row: TreeRow; rank: number }> = [];
  for (const row of rows) {
    const path = row.path.toLowerCase();
    if (!words.every((word) => path.includes(word))) continue;
    const name = nameOf(path);
    found.push({ row, rank: name.startsWith(words[0] ?? "") ? 0 : name.includes(words[0] ?? "") ? 1 : 2 });
  }
  found.sort((a, b) => a.rank - b.rank || b.row.modified - a.row.modified || collator.compare(a.row.path, b.row.path));
  return found.slice(0, most).map(({ row }) => ({ kind: "note", path: row.path, name: row.path, depth: 0, open: false, count: 0, note: row }));
}

/** The folders that must be open for a note to be seen. */
export function foldersAround(path: string): string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, at) => parts.slice(0, at + 1).join("/"));
}
