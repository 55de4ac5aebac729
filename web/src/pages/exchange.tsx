// Import and export: a preview before anything is saved, everything out as one file, the index anew, how much fits.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { addressOf, call, send, sentenceOf } from "../api.ts";
import { onKinds, useAttempts, useLatest, useLoad } from "../load.ts";
import { Button, bytesOf, Failure, Go, Meter, Page, Text } from "../parts/basic.tsx";
import { say, sayFailure, sayWritten } from "../parts/toast.tsx";
import { agent } from "../router.ts";
import { agentName } from "../store.ts";
import { T } from "../texts.ts";
import { JobRow } from "./status.tsx";

const MEDIA: Record<string, string> = { zip: "application/zip", jsonl: "application/x-ndjson", json: "application/json", md: "application/octet-stream" };
type Taken = Record<string, unknown> & { checkpointIds?: string[] };

export function Exchange(): JSX.Element {
  return (
    <Page title={T.pages.exchange.name} lead={T.exchange.about}>
      <Import />
      <Export />
      <Capacity />
      <Reindex />
    </Page>
  );
}

function Import(): JSX.Element {
  const [file, setFile] = useState<File | null>(null);
  const [restore, setRestore] = useState(false);
  const [preview, setPreview] = useState<Taken | null>(null);
  const [failure, setFailure] = useState("");
  const [busy, setBusy] = useState(false);
  const latest = useLatest();
  const sent = async (dry: boolean, signal?: AbortSignal): Promise<Taken> => {
    const ending = file?.name.split(".").pop()?.toLowerCase() ?? "";
    if (!file || !(ending in MEDIA)) throw new Error(T.exchange.unknownKind);
    const address = addressOf("/import", {}, { ending, name: file.name, preview: dry, restore, agent: agent.value });
    const response = await send("POST", address, { raw: file, headers: { "Content-Type": MEDIA[ending]! }, signal });
    return (await response.json()) as Taken;
  };
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setFailure("");
    await work().catch((error: unknown) => setFailure(sentenceOf(error)));
    setBusy(false);
  };
  const look = (): Promise<void> => attempt(() => latest.ask((signal) => sent(true, signal), setPreview, (error) => setFailure(sentenceOf(error))));
  const bring = (): Promise<void> => attempt(async () => {
    const made = await sent(false);
    setPreview(null);
    setFile(null);
    sayWritten(T.exchange.imported, made.checkpointIds ?? []);
  });
  // A preview is of the file that was chosen.
  const renew = (): void => {
    latest.drop();
    setPreview(null);
  };
  return (
    <section aria-labelledby="import">
      <h2 id="import">{T.exchange.import}</h2>
      <p class="muted">{T.exchange.importAbout}</p>
      <div class="inline-form">
        <label>{T.exchange.file}<input type="file" accept=".zip,.jsonl,.json,.md" onChange={(event) => (setFile(event.currentTarget.files?.[0] ?? null), renew())} /></label>
        <label class="switch-line"><input type="checkbox" checked={restore} onChange={(event) => (setRestore(event.currentTarget.checked), renew())} />{T.exchange.restore}</label>
        <Button kind="main" disabled={!file || busy} onClick={() => void look()}>{busy ? T.loading : T.exchange.preview}</Button>
      </div>
      <Failure text={failure} />
      {preview ? (
        <>
          <Shown taken={preview} />
          <p class="actions"><Button kind="main" disabled={busy} onClick={() => void bring()}>{T.exchange.bring}</Button><span class="muted">{T.takeBack.canUndo}</span></p>
        </>
      ) : null}
    </section>
  );
}

type Row = string | { path?: string; text?: string; where?: string; fate?: string; why?: string; category?: string; observed?: string | null };

/** What would come in, and what becomes of each: what there is none of is left out. */
function Shown({ taken }: { taken: Taken }): JSX.Element {
  const names = (Object.keys(T.exchange.shown) as Array<keyof typeof T.exchange.shown>).filter((name) => (Array.isArray(taken[name]) ? (taken[name] as unknown[]).length : taken[name]));
  if (!names.some((name) => name !== "from")) return <p class="muted">{T.exchange.nothingComes}</p>;
  return (
    <dl class="pairs wide-pairs preview">
      {names.map((name) => (
        <>
          <dt>{T.exchange.shown[name]}</dt>
          <dd>{Array.isArray(taken[name]) ? <Rows rows={taken[name] as Row[]} /> : <Text>{name === "from" ? (T.exchange.sources[String(taken.from)] ?? String(taken.from)) : String(taken[name])}</Text>}</dd>
        </>
      ))}
    </dl>
  );
}

const LISTED = 50; // rows; a preview is to be looked over

function Rows({ rows }: { rows: Row[] }): JSX.Element {
  const told = (row: Row): string => {
    if (typeof row === "string") return row;
    const becomes = row.fate ? (T.exchange.fates[row.fate] ?? row.fate) : row.why;
    return [row.text ?? row.path ?? row.where, row.category, row.observed, becomes].filter(Boolean).join(" · ");
  };
  return <ul class="bare">{rows.slice(0, LISTED).map((row, at) => <li key={at}><Text>{told(row)}</Text></li>)}{rows.length > LISTED ? <li class="muted">{T.more(rows.length - LISTED)}</li> : null}</ul>;
}

function Export(): JSX.Element {
  const { busy, attempt } = useAttempts(sayFailure);
  const take = (format: string): Promise<void> => attempt(async () => {
    const response = await send("POST", addressOf("/export", {}, { agent: agent.value }), { body: { format } });
    const blob = await response.blob();
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = `holdfast-${agentName.value}.${format}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    say(T.exchange.exported(bytesOf(blob.size)));
  });
  return (
    <section aria-labelledby="export">
      <h2 id="export">{T.exchange.export}</h2>
      <p class="muted">{T.exchange.exportAbout}</p>
      <p class="actions"><Button disabled={busy} onClick={() => void take("zip")}>{T.exchange.zip}</Button><Button disabled={busy} onClick={() => void take("jsonl")}>{T.exchange.jsonl}</Button></p>
    </section>
  );
}

function Capacity(): JSX.Element | null {
  const stats = useLoad((signal) => call("GET /facts/stats", { signal }), [agentName.value], onKinds("write"));
  if (!stats.data) return null;
  const { total, most } = stats.data;
  return (
    <section aria-labelledby="capacity">
      <h2 id="capacity">{T.exchange.capacity}</h2>
      <p><Meter value={most ? total / most : 0} label={T.status.covers(total, most)} /> {T.exchange.capacityOf(total, most)} <Go to="/settings/all/facts">{T.pages.settings.name}</Go></p>
    </section>
  );
}

function Reindex(): JSX.Element {
  const jobs = useLoad((signal) => call("GET /jobs", { signal }), [agentName.value], onKinds("job"));
  const begin = async (): Promise<void> => {
    try {
      await call("POST /jobs", { body: { kind: "reindex" } });
      jobs.reload();
    } catch (error) {
      sayFailure(error);
    }
  };
  const ours = jobs.data?.jobs.filter((job) => job.kind === "reindex").slice(0, 3) ?? [];
  return (
    <section aria-labelledby="reindex">
      <h2 id="reindex">{T.status.reindex}</h2>
      <p class="muted">{T.exchange.reindexAbout}</p>
      <p><Button onClick={() => void begin()}>{T.status.reindex}</Button></p>
      {ours.length ? <table class="rows"><tbody>{ours.map((job) => <JobRow key={job.id} job={job} reload={jobs.reload} />)}</tbody></table> : null}
    </section>
  );
}
