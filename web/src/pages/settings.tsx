// Settings: made from the catalogue of the server; Memory first, everything else by its table, one bar that saves all.
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { sentenceOf } from "../api.ts";
import { onKinds, useAttempts, useLatest, useLoad } from "../load.ts";
import { Busy, Button, Empty, Failure, Go, Page } from "../parts/basic.tsx";
import { sayBackAndForth } from "../parts/toast.tsx";
import { agent, restOf } from "../router.ts";
import { broken, catalogue, changes, diffOfChanges, file, isSame, loadSettings, rows, saveChanges, titles, undoChanges } from "../settings_state.ts";
import type { CatalogueKey } from "../shapes.ts";
import { T } from "../texts.ts";
import { SettingField } from "./settings_field.tsx";
import { MemorySettings } from "./settings_memory.tsx";
import { BrowserSettings, ProfileSettings } from "./settings_profile.tsx";

export function Settings({ path }: { path: string }): JSX.Element {
  const part = restOf(path, "/settings") || "memory";
  const loaded = useLoad(loadSettings, [agent.value], onKinds("settings"));
  const tables = useMemo(() => [...new Set(catalogue.value.map((key) => key.table))], [catalogue.value]);
  const [find, setFind] = useState("");
  const [onlyChanged, setOnlyChanged] = useState(false);
  useEffect(() => () => void (changes.value = {}), [agent.value]);
  const searching = find.trim() !== "" || onlyChanged;
  return (
    <Page title={T.pages.settings.name} wide>
      <div class="settings">
        <nav class="settings-nav" aria-label={T.settings.sections}>
          <input type="search" value={find} placeholder={T.settings.find} aria-label={T.settings.find} onInput={(event) => setFind(event.currentTarget.value)} />
          <label class="switch-line"><input type="checkbox" checked={onlyChanged} onChange={(event) => setOnlyChanged(event.currentTarget.checked)} />{T.settings.onlyChanged}</label>
          <ul>
            <Section to="/settings" name={T.settings.memory} here={part === "memory"} />
            <Section to="/settings/profile" name={T.profile.title} here={part === "profile"} />
            <Section to="/settings/browser" name={T.browser.title} here={part === "browser"} />
          </ul>
          <h2>{T.settings.everything}</h2>
          <ul>{tables.map((table) => <Section key={table} to={`/settings/all/${table}`} name={titles.value.get(table) ?? table} here={part === `all/${table}`} code={table} />)}</ul>
        </nav>
        <div class="settings-body">
          {broken.value ? <Failure text={T.settings.broken(broken.value)} again={loaded.reload} /> : null}
          <Failure text={loaded.error} again={loaded.reload} />
          <Busy when={loaded.busy && !loaded.data} />
          {loaded.data ? (searching ? <Matching find={find} onlyChanged={onlyChanged} /> : <Part part={part} />) : null}
          <SaveBar />
        </div>
      </div>
    </Page>
  );
}

function Section({ to, name, here, code }: { to: string; name: string; here: boolean; code?: string }): JSX.Element {
  return <li><Go to={to} aria-current={here ? "page" : undefined} title={code}>{name}</Go></li>;
}

function Part({ part }: { part: string }): JSX.Element {
  if (part === "memory") return <MemorySettings />;
  if (part === "profile") return <ProfileSettings />;
  if (part === "browser") return <BrowserSettings />;
  const table = part.replace(/^all\//, "");
  const keys = catalogue.value.filter((key) => key.table === table);
  if (!keys.length) return <Empty title={T.settings.noTable} />;
  return <Keys title={titles.value.get(table) ?? table} keys={keys} />;
}

function Keys({ title, keys }: { title: string; keys: CatalogueKey[] }): JSX.Element {
  return <section aria-labelledby="table-title"><h2 id="table-title">{title}</h2>{keys.map((key) => <SettingField key={key.key} row={key} />)}</section>;
}

function Matching({ find, onlyChanged }: { find: string; onlyChanged: boolean }): JSX.Element {
  const words = find.toLowerCase().split(/\s+/).filter(Boolean);
  const keys = catalogue.value.filter((key) => {
    const text = `${key.key} ${key.description}`.toLowerCase();
    const row = rows.value.get(key.key);
    const differs = key.key in changes.value || (row && row.source !== "default" && !isSame(row.value, row.default));
    return words.every((word) => text.includes(word)) && (!onlyChanged || differs);
  });
  return keys.length ? <Keys title={T.settings.matches(keys.length)} keys={keys} /> : <Empty title={onlyChanged ? T.settings.noneChanged : T.settings.noMatch} />;
}

/** All changes together: what they do to the file, and one save, all or none. */
function SaveBar(): JSX.Element | null {
  const [diff, setDiff] = useState("");
  const { busy, failure, setFailure, attempt } = useAttempts();
  const count = Object.keys(changes.value).length;
  const latest = useLatest();
  useEffect(() => (latest.drop(), setDiff(""), setFailure("")), [changes.value]);
  if (!count) return null;
  const save = (): Promise<void> => attempt(async () => {
    sayBackAndForth(T.settings.saved(count), await saveChanges(), undoChanges);
  });
  const showDiff = (): Promise<void> => latest.ask(diffOfChanges, (made) => setDiff(made || T.diff.same), (error) => setFailure(sentenceOf(error)));
  return (
    <div class="save-bar sticky" role="region" aria-label={T.settings.unsaved(count)}>
      {diff ? <pre class="toml-diff" tabIndex={0}>{diff.split("\n").map((line, at) => <span key={at} class={line.startsWith("+") ? "new" : line.startsWith("-") ? "gone" : undefined}>{line}{"\n"}</span>)}</pre> : null}
      <Failure text={failure} />
      <div class="save-line">
        <span aria-live="polite">{T.settings.unsaved(count)}</span>
        <span class="spacer" />
        <Button kind="quiet" disabled={busy} onClick={() => void showDiff()}>{T.settings.showDiff(file.value)}</Button>
        <Button disabled={busy} onClick={() => (changes.value = {})}>{T.settings.discard}</Button>
        <Button kind="main" disabled={busy} onClick={() => void save()}>{busy ? T.saving : T.note.save}</Button>
      </div>
    </div>
  );
}
