// Who the user is, and what stays in this browser.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { call, leave } from "../api.ts";
import { dropAll, keep, kept } from "../kept.ts";
import { useLoad } from "../load.ts";
import { Busy, Button, Failure, Notice, Text, When } from "../parts/basic.tsx";
import { say, sayFailure } from "../parts/toast.tsx";
import { valueOf } from "../settings_state.ts";
import { agentName } from "../store.ts";
import { T } from "../texts.ts";

const FIELDS = ["name", "timezone", "location"] as const;

export function ProfileSettings(): JSX.Element {
  const profile = useLoad((signal) => call("GET /profile", { signal }), [agentName.value]);
  const [given, setGiven] = useState<Partial<Record<(typeof FIELDS)[number], string>>>({});
  const mode = String(valueOf("memory.user_profile_write_mode") ?? "");
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const user = profile.data?.user;
  const [observed, setObserved] = useState(false);
  const takeBack = async (): Promise<void> => {
    await call("POST /profile/undo", { body: {} });
    setObserved(false);
    profile.reload();
    say(T.undone);
  };
  useEffect(() => {
    if (mode !== "explicit-and-auto" || !user || user.timezone || !zone || kept("zone.told", "") === zone) return;
    call("POST /profile/observed", { body: { timezone: zone } }).then(() => {
      keep("zone.told", zone);
      setObserved(true);
      profile.reload();
      say(T.profile.observed(zone), { undo: takeBack });
    }, () => {});
  }, [mode, Boolean(user)]);
  const save = async (field: (typeof FIELDS)[number]): Promise<void> => {
    try {
      await call("PUT /profile", { body: { field, value: given[field] ?? "" } });
      const { [field]: _, ...rest } = given;
      setGiven(rest);
      profile.reload();
      say(T.profile.saved, { undo: takeBack });
    } catch (error) {
      sayFailure(error);
    }
  };
  return (
    <section aria-labelledby="profile">
      <h2 id="profile">{T.profile.title}</h2>
      <p class="muted">{T.profile.modes[mode as keyof typeof T.profile.modes] ?? ""}</p>
      {observed ? <Notice><p>{T.profile.observed(zone)}</p></Notice> : null}
      <Failure text={profile.error} again={profile.reload} />
      <Busy when={profile.busy && !profile.data} />
      {user ? FIELDS.map((field) => (
        <form class="setting" key={field} onSubmit={(event) => (event.preventDefault(), void save(field))}>
          <div class="setting-name"><label for={`profile-${field}`}>{T.profile.fields[field]}</label></div>
          <div class="setting-control inline-form">
            <input id={`profile-${field}`} type="text" value={given[field] ?? user[field] ?? ""} placeholder={field === "timezone" ? zone : ""} onInput={(event) => setGiven({ ...given, [field]: event.currentTarget.value })} />
            <Button type="submit" disabled={given[field] === undefined || given[field] === (user[field] ?? "")}>{T.note.save}</Button>
          </div>
        </form>
      )) : null}
    </section>
  );
}

export function BrowserSettings(): JSX.Element {
  const [drafts, setDrafts] = useState(() => kept("drafts", true));
  const browsers = useLoad((signal) => call("GET /browsers", { signal }), []);
  const revoke = async (id: string): Promise<void> => {
    try {
      await call("DELETE /browsers/{id}", { path: { id } });
      browsers.reload();
      say(T.browser.revoked);
    } catch (error) {
      sayFailure(error);
    }
  };
  const go = async (): Promise<void> => {
    try {
      await leave();
      dropAll();
    } catch (error) {
      sayFailure(error);
    }
  };
  return (
    <>
      <section aria-labelledby="browser">
        <h2 id="browser">{T.browser.title}</h2>
        <p class="muted">{T.browser.about}</p>
        <label class="switch-line"><input type="checkbox" role="switch" class="switch" checked={drafts} onChange={(event) => (setDrafts(event.currentTarget.checked), keep("drafts", event.currentTarget.checked))} />{T.browser.drafts}</label>
        <p><Button kind="danger" onClick={() => void go()}>{T.browser.leave}</Button> <span class="muted">{T.browser.leaveAbout}</span></p>
      </section>
      <section aria-labelledby="browsers">
        <h2 id="browsers">{T.browser.others}</h2>
        <Failure text={browsers.error} again={browsers.reload} />
        <table class="rows">
          <thead><tr><th scope="col">{T.browser.name}</th><th scope="col">{T.browser.first}</th><th scope="col">{T.browser.last}</th><th scope="col"><span class="visually-hidden">{T.browser.revoke}</span></th></tr></thead>
          <tbody>{(browsers.data?.browsers ?? []).map((one) => <tr key={one.id}><td><Text>{one.name}</Text>{one.this ? <span class="chip">{T.browser.this}</span> : null}</td><td><When at={one.first} /></td><td><When at={one.last} /></td><td class="align-right">{one.this ? null : <Button onClick={() => void revoke(one.id)}>{T.browser.revoke}</Button>}</td></tr>)}</tbody>
        </table>
      </section>
    </>
  );
}
