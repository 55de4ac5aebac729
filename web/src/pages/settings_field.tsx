// One setting: its control by its kind, where its value is from, and the way back to the default.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Button, Prose } from "../parts/basic.tsx";
import { LinesField } from "../parts/text_field.tsx";
import { change, changes, drop, isFromFile, isSame, lockedBecause, rows, sourceKind, valueOf } from "../settings_state.ts";
import type { CatalogueKey } from "../shapes.ts";
import { T } from "../texts.ts";

export function SettingField({ row, title }: { row: CatalogueKey; title?: string }): JSX.Element {
  const held = rows.value.get(row.key);
  const value = valueOf(row.key);
  const locked = lockedBecause(row);
  const isChanged = row.key in changes.value;
  const id = `set-${row.key.replaceAll(".", "-")}`;
  const differs = row.secret ? value !== "not set" : !isSame(value, held?.default ?? row.default);
  return (
    <div class={`setting${isChanged ? " changed" : ""}`}>
      <div class="setting-name">
        <label for={id}>{title ?? <code>{row.key}</code>}</label>
        {differs ? <span class="dot changed-dot" title={T.settings.differs} /> : null}
      </div>
      <div class="setting-control">
        <Control row={row} id={id} value={value} locked={locked} />
        {locked ? <p class="locked" id={`${id}-why`}>{locked}</p> : null}
        <p class="muted about" id={`${id}-about`}>
          {title ? <><code>{row.key}</code> · </> : null}<Prose text={row.description} />
        </p>
        <p class="muted source">
          {row.secret ? null : <>{T.settings.default} <code>{shownValue(row.default)}</code> · </>}
          {isChanged ? T.settings.notSaved : T.settings.sources[sourceKind(held?.source ?? "default")](held?.source ?? "")}
          {(isChanged || (held && isFromFile(held.source))) && !locked ? <Button kind="quiet" onClick={() => (isChanged ? drop(row.key) : change(row.key, null))}>{isChanged ? T.settings.discardOne : T.settings.reset}</Button> : null}
        </p>
      </div>
    </div>
  );
}

export function shownValue(value: unknown): string {
  if (value === null || value === undefined) return T.settings.nothing;
  if (Array.isArray(value)) return value.length ? value.map((one) => (typeof one === "string" ? one : JSON.stringify(one))).join(", ") : T.settings.nothing;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}

interface ControlProps { row: CatalogueKey; id: string; value: unknown; locked: string }

export function Control({ row, id, value, locked }: ControlProps): JSX.Element {
  const about = { id, disabled: Boolean(locked), "aria-describedby": `${id}-about${locked ? ` ${id}-why` : ""}` };
  const set = (next: unknown): void => change(row.key, next);
  if (row.secret) return <SecretControl row={row} id={id} value={value} locked={locked} />;
  switch (row.kind) {
    case "switch":
      return <input {...about} type="checkbox" role="switch" class="switch" checked={value === true} onChange={(event) => set(event.currentTarget.checked)} />;
    case "choice":
      return (
        <select {...about} value={String(value ?? "")} onChange={(event) => set(event.currentTarget.value)}>
          {(row.choices ?? []).map((choice) => <option key={choice} value={choice}>{T.settings.choices[choice as keyof typeof T.settings.choices] ?? choice}</option>)}
        </select>
      );
    case "whole number":
    case "number":
      return (
        <span class="number-field">
          <input {...about} type="number" value={value === null ? "" : String(value)} min={row.least ?? undefined} max={row.most ?? undefined} step={row.kind === "number" ? "any" : 1} placeholder={row.optional ? T.settings.nothing : undefined} onInput={(event) => set(event.currentTarget.value === "" ? null : Number(event.currentTarget.value))} />
          {row.least !== null || row.most !== null ? <span class="muted">{T.settings.range(row.least, row.most)}</span> : null}
        </span>
      );
    case "list of texts":
      return <LinesField {...about} rows={Math.min(6, Math.max(2, (value as unknown[] | null)?.length ?? 0) + 1)} placeholder={T.settings.onePerLine} value={(value as string[] | null) ?? []} set={set} />;
    case "text of several lines":
      return <textarea {...about} rows={5} value={String(value ?? "")} onInput={(event) => set(event.currentTarget.value || null)} />;
    case "list of rules":
    case "table of texts":
      return <JsonControl row={row} id={id} value={value} locked={locked} />;
    default:
      return <input {...about} type="text" spellcheck={false} value={String(value ?? "")} placeholder={row.example ? String(row.example) : row.optional ? T.settings.nothing : undefined} onInput={(event) => set(event.currentTarget.value || null)} />;
  }
}

/** A secret is written and never read back: the page knows only whether there is one. */
function SecretControl({ row, id, value, locked }: ControlProps): JSX.Element {
  const isGiven = row.key in changes.value && changes.value[row.key] !== null;
  const label = isGiven ? T.settings.secretNew : value === "set" ? T.settings.secretSet : T.settings.secretNone;
  return <input id={id} type="password" autocomplete="new-password" disabled={Boolean(locked)} placeholder={label} aria-describedby={`${id}-about`} value={isGiven ? String(changes.value[row.key]) : ""} onInput={(event) => (event.currentTarget.value ? change(row.key, event.currentTarget.value) : drop(row.key))} />;
}

function JsonControl({ row, id, value, locked }: ControlProps): JSX.Element {
  const [text, setText] = useState<string | null>(null);
  const [bad, setBad] = useState(false);
  const put = (given: string): void => {
    setText(given);
    try {
      change(row.key, JSON.parse(given || "null"));
      setBad(false);
    } catch {
      setBad(true);
    }
  };
  return (
    <>
      <textarea id={id} rows={5} spellcheck={false} class="code" disabled={Boolean(locked)} aria-invalid={bad} aria-describedby={`${id}-about`} value={text ?? JSON.stringify(value, null, 1)} onInput={(event) => put(event.currentTarget.value)} />
      {bad ? <p class="locked">{T.settings.notJson}</p> : null}
    </>
  );
}
