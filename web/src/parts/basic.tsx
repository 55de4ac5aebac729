// The small parts that every page uses.
import { type ComponentChildren, Fragment, type JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { reveal } from "../invisibles.ts";
import { noteAddress, withAgent } from "../router.ts";
import { T } from "../texts.ts";
import { Icon, type IconName } from "./icons.tsx";

/** Text of a note or of anybody: hidden characters are drawn. */
export function Text({ children }: { children: string | null | undefined }): JSX.Element | null {
  if (!children) return null;
  const pieces = reveal(children);
  if (pieces.length === 1 && !pieces[0]!.hidden) return <>{children}</>;
  return <>{pieces.map((piece) => (piece.hidden ? <span class="hidden-char" title={T.hidden}>{piece.text}</span> : piece.text))}</>;
}

export function Page({ title, actions, children, wide, lead }: { title: string; actions?: ComponentChildren; children: ComponentChildren; wide?: boolean; lead?: ComponentChildren }): JSX.Element {
  useTitle(title);
  return (
    <div class={wide ? "page wide" : "page"}>
      <header class="page-head">
        <h1 tabIndex={-1}><Text>{title}</Text></h1>
        {actions ? <div class="actions">{actions}</div> : null}
      </header>
      {lead ? <p class="lead">{lead}</p> : null}
      {children}
    </div>
  );
}

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title ? `${title} · Holdfast` : "Holdfast";
  }, [title]);
}

export function Button({ children, icon, kind = "plain", class: more, ...rest }: { children?: ComponentChildren; icon?: IconName; kind?: "plain" | "main" | "quiet" | "danger" } & Omit<JSX.IntrinsicElements["button"], "icon">): JSX.Element {
  return (
    <button type="button" {...rest} class={more ? `button ${kind} ${more as string}` : `button ${kind}`}>
      {icon ? <Icon name={icon} /> : null}
      {children}
    </button>
  );
}

/** A link within the app, with the agent of the page. */
export function Go({ to, children, ...rest }: { to: string; children: ComponentChildren } & Omit<JSX.IntrinsicElements["a"], "href" | "role">): JSX.Element {
  return <a {...rest} href={withAgent(to)}>{children}</a>;
}

export function NoteLink({ path, line, children }: { path: string; line?: number; children?: ComponentChildren }): JSX.Element {
  return <Go to={noteAddress(path, line)} class="note-link">{children ?? <Place text={line ? `${path}#${line}` : path} />}</Go>;
}

/** A path, which may go on in the next line after each folder. */
function Place({ text }: { text: string }): JSX.Element {
  const pieces = text.split(/(?<=\/)/);
  return <>{pieces.map((piece, at) => <Fragment key={at}>{at ? <wbr /> : null}<Text>{piece}</Text></Fragment>)}</>;
}

export function OriginBadge({ origin }: { origin: string | null | undefined }): JSX.Element | null {
  if (!origin) return null;
  const known = T.origins[origin as keyof typeof T.origins];
  return <span class={`origin origin-${origin.replace(/[^a-z_]/g, "")}`} title={known?.about}>{known?.name ?? origin}</span>;
}

export function Empty({ title, children }: { title: string; children?: ComponentChildren }): JSX.Element {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}

export function Failure({ text, again }: { text: string; again?: () => void }): JSX.Element | null {
  if (!text) return null;
  return (
    <div class="notice bad" role="alert">
      <Icon name="warn" />
      <p><Text>{text}</Text></p>
      {again ? <Button kind="quiet" onClick={again}>{T.again}</Button> : null}
    </div>
  );
}

/** A description with `code` in it. */
export function Prose({ text }: { text: string }): JSX.Element {
  return <>{text.split("`").map((piece, at) => (at % 2 ? <code key={at}><Text>{piece}</Text></code> : <Text key={at}>{piece}</Text>))}</>;
}

export function Notice({ kind = "info", children }: { kind?: "info" | "warn" | "good" | "bad"; children: ComponentChildren }): JSX.Element {
  return <div class={`notice ${kind}`} role={kind === "warn" || kind === "bad" ? "alert" : "status"}>{children}</div>;
}

export function Busy({ when, children }: { when: boolean; children?: ComponentChildren }): JSX.Element | null {
  return when ? <p class="busy" role="status">{children ?? T.loading}</p> : null;
}

/** A bar of how much, 0 to 1; its words stand beside it, so a reader of screens skips it. */
export function Meter({ value, label }: { value: number; label: string }): JSX.Element {
  const share = Math.max(0, Math.min(1, value));
  return (
    <span class="meter" role="img" aria-label={label} title={label}>
      <span class="meter-fill" style={{ width: `${share * 100}%` }} />
    </span>
  );
}

export function When({ at }: { at: string | number | null | undefined }): JSX.Element | null {
  if (at === null || at === undefined || at === "") return null;
  const date = new Date(typeof at === "number" ? at * 1000 : at);
  if (Number.isNaN(date.getTime())) return null;
  return <time dateTime={date.toISOString()} title={date.toLocaleString()}>{ago(date)}</time>;
}

export function ago(date: Date, now = Date.now()): string {
  const seconds = Math.round((now - date.getTime()) / 1000);
  if (seconds < 45) return T.time.now;
  if (seconds < 3600) return T.time.minutes(Math.max(1, Math.round(seconds / 60)));
  if (seconds < 86400 && new Date(now).getDate() === date.getDate()) return T.time.at(clock(date));
  if (seconds < 7 * 86400) return date.toLocaleDateString(undefined, { weekday: "short" }) + " " + clock(date);
  return date.toLocaleDateString(undefined, { day: "numeric", month: "short", year: "numeric" });
}

function clock(date: Date): string {
  return date.toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit" });
}

export function dayOf(at: string | null): string {
  const date = at ? new Date(at) : new Date();
  const two = (number: number): string => String(number).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

export function dayName(day: string): string {
  const today = dayOf(null);
  if (day === today) return T.time.today;
  if (day === dayOf(new Date(Date.now() - 86_400_000).toISOString())) return T.time.yesterday;
  return new Date(`${day}T12:00:00`).toLocaleDateString(undefined, { weekday: "long", day: "numeric", month: "long", year: "numeric" });
}

export function bytesOf(bytes: number): string {
  if (bytes < 1000) return T.bytes(bytes);
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** Puts the focus on an element once it is there. */
export function useFocus<E extends HTMLElement>(when: unknown = true): { current: E | null } {
  const ref = useRef<E>(null);
  useEffect(() => {
    if (when) ref.current?.focus({ preventScroll: true }); // Back leads to where one was
  }, [when]);
  return ref;
}
