// How memory is: one sentence, the checks with how to mend what is wrong, providers, spaces, jobs, what happened.
import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { call } from "../api.ts";
import { type Happening, listen } from "../events.ts";
import { onKinds, useLoad } from "../load.ts";
import { Busy, Button, bytesOf, Failure, Meter, Notice, Page, Prose, Text, When } from "../parts/basic.tsx";
import { Icon } from "../parts/icons.tsx";
import { say, sayFailure } from "../parts/toast.tsx";
import type { Job } from "../shapes.ts";
import { agentName, whoami } from "../store.ts";
import { T } from "../texts.ts";
import { Command } from "./today.tsx";

const MOST_EVENTS = 256;
const seen = signal<Array<Happening & { at: number }>>([]);
let listening = false;

export function StatusPage(): JSX.Element {
  const agent = agentName.value;
  const status = useLoad((stop) => call("GET /status", { signal: stop }), [agent], onKinds("sync", "settings", "job"));
  const doctor = useLoad((stop) => call("GET /doctor", { signal: stop }), [agent]);
  const jobs = useLoad((stop) => call("GET /jobs", { signal: stop }), [agent], onKinds("job"));
  useEffect(() => {
    if (listening) return;
    listening = true;
    listen((event) => (seen.value = [{ ...event, at: Number(event.at ?? Date.now() / 1000) }, ...seen.value].slice(0, MOST_EVENTS)));
  }, []);
  const begin = async (kind: string): Promise<void> => {
    try {
      await call("POST /jobs", { body: { kind } });
      jobs.reload();
      say(T.status.begun);
    } catch (error) {
      sayFailure(error);
    }
  };
  const data = status.data;
  const wrong = doctor.data?.checks.filter((check) => !check.ok) ?? [];
  const weak = doctor.data?.checks.filter((check) => check.ok && check.warn) ?? [];
  return (
    <Page title={T.pages.status.name} actions={<><Button onClick={() => void begin("sync")}>{T.status.sync}</Button><Button onClick={() => void begin("reindex")}>{T.status.reindex}</Button></>}>
      <Failure text={status.error} again={status.reload} />
      <Busy when={status.busy && !data} />
      {data ? <Notice kind={wrong.length || data.settings_because ? "warn" : doctor.data ? "good" : "info"}><p>{doctor.data ? healthOf(data.notes_on_disk, wrong.length, weak.length) : T.status.looking}</p></Notice> : null}
      {data?.settings_because ? <Failure text={data.settings_because} /> : null}
      <section aria-labelledby="checks">
        <h2 id="checks">{T.status.checks} <Button kind="quiet" onClick={doctor.reload}>{T.status.checkAgain}</Button></h2>
        <Failure text={doctor.error} />
        <table class="rows">
          <thead class="visually-hidden"><tr><th scope="col">{T.status.ok}</th><th scope="col">{T.status.check}</th><th scope="col">{T.status.detail}</th></tr></thead>
          <tbody>
            {(doctor.data?.checks ?? []).map((check) => (
              <tr key={check.name}>
                <td class={!check.ok ? "bad-mark" : check.warn ? "warn-mark" : "good-mark"}><Icon name={check.ok && !check.warn ? "check" : "warn"} /><span class="visually-hidden">{!check.ok ? T.status.notOk : check.warn ? T.status.warn : T.status.ok}</span></td>
                <td class="word">{check.name}</td>
                <td><Text>{check.detail}</Text>{(check.ok && !check.warn) || !check.remedy ? null : <Remedy text={check.remedy} />}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {data ? (
        <>
          <section aria-labelledby="providers">
            <h2 id="providers">{T.status.providers}</h2>
            <table class="rows">
              <thead><tr><th scope="col">{T.status.provider}</th><th scope="col">{T.status.model}</th><th scope="col">{T.status.why}</th><th scope="col">{T.status.state}</th></tr></thead>
              <tbody>{data.providers.map((one) => <tr key={one.provider + one.model + one.endpoint}><td class="word"><Text>{one.provider}</Text>{one.remote ? <span class="chip">{T.status.remote}</span> : null}</td><td><Text>{one.model}</Text></td><td class="muted"><Text>{one.because}</Text></td><td>{one.failure ? <span class="bad-mark"><Text>{one.failure}</Text></span> : <span class="word">{T.status.ready}</span>}</td></tr>)}</tbody>
            </table>
            <p>{data.sends_to ? <strong><Text>{T.status.sendsTo(data.sends_to)}</Text></strong> : T.status.nothingLeaves}</p>
          </section>
          <section aria-labelledby="spaces">
            <h2 id="spaces">{T.status.spaces}</h2>
            <p class="muted">{T.status.spacesAbout}</p>
            <table class="rows">
              <thead><tr><th scope="col">{T.status.model}</th><th scope="col">{T.status.coverage}</th><th scope="col" class="align-right">{T.status.vectors}</th><th scope="col">{T.status.state}</th></tr></thead>
              <tbody>{data.spaces.map((space) => <tr key={space.provider + space.model + space.dimensions}><td><Text>{`${space.provider} / ${space.model}`}</Text> <span class="muted">{T.status.dimensions(space.dimensions)}</span></td><td><Meter value={space.texts ? space.embedded / space.texts : 1} label={T.status.covers(space.embedded, space.texts)} /> <span class="muted">{T.status.covers(space.embedded, space.texts)}</span></td><td class="align-right">{space.vectors.toLocaleString()}</td><td>{space.current ? T.status.serves : T.status.kept}</td></tr>)}</tbody>
            </table>
          </section>
        </>
      ) : null}
      <section aria-labelledby="jobs">
        <h2 id="jobs">{T.status.jobs}</h2>
        {jobs.data?.jobs.length ? <table class="rows"><tbody>{jobs.data.jobs.slice(0, 20).map((job) => <JobRow key={job.id} job={job} reload={jobs.reload} />)}</tbody></table> : <p class="muted">{T.status.noJobs}</p>}
      </section>
      <section aria-labelledby="events">
        <h2 id="events">{T.status.events}</h2>
        {seen.value.length ? <table class="rows"><tbody>{seen.value.slice(0, 60).map((event, at) => <tr key={at}><td class="muted when"><When at={event.at} /></td><td>{T.status.kinds[event.kind as keyof typeof T.status.kinds] ?? event.kind}</td><td><Text>{summaryOf(event)}</Text></td><td class="muted">{event.agent}</td></tr>)}</tbody></table> : <p class="muted">{T.status.noEvents}</p>}
      </section>
      {data ? (
        <dl class="pairs wide-pairs">
          <dt>{T.status.home}</dt><dd><code><Text>{data.home}</Text></code></dd>
          <dt>{T.status.indexFile}</dt><dd><code><Text>{data.index.path}</Text></code> {bytesOf(data.index.bytes)}</dd>
          {data.images ? <><dt>{T.status.images}</dt><dd>{T.status.imagesRead(data.images.read, data.images.pending, data.images.unreadable.length)}{data.images.because ? <p class="bad-mark"><Text>{data.images.because}</Text></p> : null}{data.images.unreadable.length ? <ul class="bare">{data.images.unreadable.slice(0, 20).map((one) => <li key={one.path}><Text>{one.path}</Text> <span class="muted"><Text>{one.why}</Text></span></li>)}</ul> : null}</dd></> : null}
          <dt>{T.status.engine}</dt><dd>{data.engine}</dd>
          <dt>{T.status.version}</dt><dd>{whoami.value?.version ?? ""}</dd>
        </dl>
      ) : null}
    </Page>
  );
}

function healthOf(notes: number, wrong: number, weak: number): string {
  if (wrong) return T.status.troubles(wrong);
  return weak ? T.status.weak(notes, weak) : T.status.healthy(notes);
}

function Remedy({ text }: { text: string }): JSX.Element {
  const command = /`(holdfast [^`]+)`/.exec(text)?.[1];
  return <><p><Prose text={text} /></p>{command ? <Command text={command} /> : null}</>;
}

function summaryOf(event: Happening): string {
  if (event.kind === "job") {
    const job = event.job as Job | undefined;
    return job ? `${job.kind}: ${job.state}` : "";
  }
  return String(event.path ?? event.report ?? event.session ?? "");
}

export function JobRow({ job, reload }: { job: Job; reload: () => void }): JSX.Element {
  const stop = async (): Promise<void> => {
    try {
      await call("DELETE /jobs/{id}", { path: { id: job.id } });
      reload();
    } catch (error) {
      sayFailure(error);
    }
  };
  const runs = job.state === "running" || job.state === "waiting";
  return (
    <tr>
      <td class="word">{T.status.jobKinds[job.kind as keyof typeof T.status.jobKinds] ?? job.kind}</td>
      <td>{T.status.states[job.state]}{job.error ? <p class="bad-mark"><Text>{job.error.message}</Text></p> : null}</td>
      <td>{job.progress && runs ? <Progress {...job.progress} /> : null}</td>
      <td class="muted when"><When at={job.ended ?? job.created} /></td>
      <td class="align-right">{runs ? <Button kind="quiet" icon="stop" onClick={() => void stop()}>{T.stop}</Button> : null}</td>
    </tr>
  );
}

function Progress({ what, done, total }: NonNullable<Job["progress"]>): JSX.Element {
  const said = T.status.covers(done, total);
  if (!total) return <Text>{what}</Text>;
  return <><p><Text>{what}</Text></p><Meter value={total ? done / total : 0} label={said} /> <span class="muted">{said}</span></>;
}
