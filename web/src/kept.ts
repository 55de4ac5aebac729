// What stays in this browser: small choices and drafts, never another text of a note.
const PREFIX = "holdfast.";
const DRAFTS = "holdfast.draft:";
const OLD = 30 * 86_400_000; // milliseconds after which a draft is dropped

export function kept<T>(name: string, otherwise: T): T {
  try {
    const found = localStorage.getItem(PREFIX + name);
    return found === null ? otherwise : (JSON.parse(found) as T);
  } catch {
    return otherwise;
  }
}

export function keep(name: string, value: unknown): void {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // A browser that keeps nothing, or is full: the choice holds until the page is closed.
  }
}

export interface Draft { hash: string; text: string; base: string; at: number }

const keyOf = (agent: string, path: string): string => `${DRAFTS}${agent}:${path}`;

export function draftOf(agent: string, path: string): Draft | null {
  try {
    const found = JSON.parse(localStorage.getItem(keyOf(agent, path)) ?? "null") as Draft | null;
    return found && Date.now() - found.at < OLD ? found : null;
  } catch {
    return null;
  }
}

export function keepDraft(agent: string, path: string, draft: Draft | null): void {
  if (draft && !kept<boolean>("drafts", true)) return;
  try {
    if (draft) localStorage.setItem(keyOf(agent, path), JSON.stringify(draft));
    else localStorage.removeItem(keyOf(agent, path));
  } catch {
    // as above
  }
}

/** Everything of this browser goes, when its owner leaves. */
export function dropAll(): void {
  try {
    for (const name of Object.keys(localStorage)) if (name.startsWith(PREFIX)) localStorage.removeItem(name);
  } catch {
    // as above
  }
}
