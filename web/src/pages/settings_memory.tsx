// Settings > Memory: six switches at a glance, the two knobs, recipes, the backend, the providers with their tests.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { onKinds, useAttempts, useLoad } from "../load.ts";
import { bytesOf, Button, Go, Notice, Text } from "../parts/basic.tsx";
import { change, changes, isSame, keysByName, lockedBecause, valueOf } from "../settings_state.ts";
import type { ProviderTest } from "../shapes.ts";
import { agentName } from "../store.ts";
import { T } from "../texts.ts";
import { SettingField, shownValue } from "./settings_field.tsx";

export function MemorySettings(): JSX.Element {
  return (
    <>
      <Glance />
      <section aria-labelledby="knobs">
        <h2 id="knobs">{T.settings.knobs}</h2>
        <p class="muted">{T.settings.knobsAbout}</p>
        <div class="knobs">{fields(["memory.style", "chat.prompt_memory_mode"])}</div>
      </section>
      <section aria-labelledby="writes">
        <h2 id="writes">{T.settings.writes}</h2>
        {fields(["memory.agent_write_mode", "memory.prompt_approval", "memory.user_profile_write_mode"])}
      </section>
      <Backend />
      <Provider />
      <section aria-labelledby="answers">
        <h2 id="answers">{T.settings.answers}</h2>
        {fields(["memory.disable_rag", "memory.citations", "memory.llm_reranking", "memory.search_merge_strategy", "memory.session_export"])}
      </section>
      <Recipes />
    </>
  );
}

function fields(names: string[]): JSX.Element[] {
  return names.flatMap((name) => {
    const row = keysByName.value.get(name);
    return row ? [<SettingField key={name} row={row} title={T.settings.titles[name as keyof typeof T.settings.titles]} />] : [];
  });
}

/** The six switches of Settings > Memory, each one of our keys. */
function Glance(): JSX.Element {
  const sources = (valueOf("memory.sources") as string[] | null) ?? [];
  const style = valueOf("memory.style");
  return (
    <section aria-labelledby="glance">
      <h2 id="glance">{T.settings.glance}</h2>
      <table class="glance">
        <tbody>
          <GlanceSwitch name="enabled" keyName="memory.style" on={style !== "off"} set={(on) => change("memory.style", on ? "hybrid" : "off")} />
          <GlanceSwitch name="capture" keyName="capture.enabled" on={valueOf("capture.enabled") === true} set={(on) => change("capture.enabled", on)} />
          <GlanceSwitch name="recall" keyName="memory.recall.enabled" on={valueOf("memory.recall.enabled") === true} set={(on) => change("memory.recall.enabled", on)} />
          <GlanceRow name="provider" keyName="memory.provider">
            <select id="glance-provider" value={String(valueOf("memory.provider"))} disabled={Boolean(lockOf("memory.provider"))} onChange={(event) => change("memory.provider", event.currentTarget.value)}>
              {(keysByName.value.get("memory.provider")?.choices ?? []).map((choice) => <option key={choice} value={choice}>{T.settings.choices[choice as keyof typeof T.settings.choices] ?? choice}</option>)}
            </select>
          </GlanceRow>
          <GlanceRow name="interval" keyName="capture.llm.every_turns">
            <input id="glance-interval" type="number" min={1} value={String(valueOf("capture.llm.every_turns") ?? "")} disabled={Boolean(lockOf("capture.llm.every_turns"))} onInput={(event) => change("capture.llm.every_turns", event.currentTarget.value === "" ? null : Number(event.currentTarget.value))} /> {T.settings.turns}
          </GlanceRow>
          <GlanceSwitch name="sessions" keyName="memory.sources" on={sources.includes("sessions")} set={(on) => change("memory.sources", on ? [...sources, "sessions"] : sources.filter((one) => one !== "sessions"))} />
        </tbody>
      </table>
    </section>
  );
}

const lockOf = (key: string): string => {
  const row = keysByName.value.get(key);
  return row ? lockedBecause(row) : "";
};

type GlanceName = keyof typeof T.settings.glances;

function GlanceRow({ name, keyName, children }: { name: GlanceName; keyName: string; children: JSX.Element | Array<JSX.Element | string> }): JSX.Element {
  const locked = lockOf(keyName);
  return (
    <tr class={keyName in changes.value ? "changed" : undefined}>
      <th scope="row"><label for={`glance-${name}`}>{T.settings.glances[name].name}</label></th>
      <td>{children}</td>
      <td class="muted">{locked || T.settings.glances[name].about} <code>{keyName}</code></td>
    </tr>
  );
}

function GlanceSwitch({ name, keyName, on, set }: { name: GlanceName; keyName: string; on: boolean; set: (on: boolean) => void }): JSX.Element {
  return <GlanceRow name={name} keyName={keyName}><input id={`glance-${name}`} type="checkbox" role="switch" class="switch" checked={on} disabled={Boolean(lockOf(keyName))} onChange={(event) => set(event.currentTarget.checked)} /></GlanceRow>;
}

function Backend(): JSX.Element {
  const row = keysByName.value.get("memory.backend");
  const status = useLoad((signal) => call("GET /status", { signal }), [agentName.value], onKinds("sync", "settings"));
  return (
    <section aria-labelledby="backend">
      <h2 id="backend">{T.settings.backend}</h2>
      {row ? <SettingField row={row} title={T.settings.backend} /> : (
        <div class="setting">
          <div class="setting-name"><label for="backend-choice">{T.settings.backend}</label></div>
          <div class="setting-control">
            <select id="backend-choice" disabled aria-describedby="backend-why"><option>builtin</option><option>qmd</option></select>
            <p class="locked" id="backend-why">{T.settings.backendOnly}</p>
          </div>
        </div>
      )}
      {status.data ? (
        <dl class="pairs wide-pairs">
          <dt>{T.status.notes}</dt><dd>{T.status.notesOf(status.data.notes_on_disk, status.data.chunks)}</dd>
          <dt>{T.status.index}</dt><dd>{bytesOf(status.data.index.bytes)} · {status.data.index.up_to_date ? T.status.upToDate : T.status.behind}</dd>
          <dt>{T.status.search}</dt><dd>{T.status.modes[status.data.mode as keyof typeof T.status.modes] ?? status.data.mode}{status.data.because ? <> · <Text>{status.data.because}</Text></> : null}</dd>
          <dt>{T.status.model}</dt><dd><Text>{status.data.model ? `${status.data.provider} / ${status.data.model}` : T.settings.nothing}</Text></dd>
        </dl>
      ) : null}
      <p><Go to="/status">{T.today.seeStatus}</Go></p>
    </section>
  );
}

function Provider(): JSX.Element {
  return (
    <section aria-labelledby="provider">
      <h2 id="provider">{T.settings.providers}</h2>
      <div class="provider-pair">
        <div><h3>{T.settings.embedding}</h3>{fields(["memory.provider", "memory.model", "memory.base_url", "memory.api_key"])}<Test what="embedding" prefix="memory." /></div>
        <div><h3>{T.settings.languageModel}</h3>{fields(["llm.provider", "llm.model", "llm.base_url", "llm.api_key"])}<Test what="model" prefix="llm." /></div>
      </div>
    </section>
  );
}

/** Asks the provider as the form stands, saved or not. */
function Test({ what, prefix }: { what: "embedding" | "model"; prefix: string }): JSX.Element {
  const [result, setResult] = useState<ProviderTest | null>(null);
  const { busy, failure, attempt } = useAttempts();
  const run = (): Promise<void> => attempt(async () => {
    setResult(null);
    const given = Object.fromEntries(Object.entries(changes.value).filter(([key]) => key.startsWith(prefix)));
    setResult(await call("POST /providers/test", { body: { what, changes: given } }));
  });
  return (
    <div class="test">
      <Button onClick={() => void run()} disabled={busy}>{busy ? T.settings.testing : T.settings.test}</Button>
      <div aria-live="polite">
        {failure ? <Notice kind="bad"><p><Text>{failure}</Text></p></Notice> : null}
        {result ? (
          <Notice kind={result.ok ? "good" : "bad"}>
            <p><strong>{result.ok ? T.settings.testGood : T.settings.testBad}</strong> <Text>{[result.provider, result.model].filter(Boolean).join(" / ")}</Text> · {T.search.took(result.took_ms)}{result.dimensions ? ` · ${T.status.dimensions(result.dimensions)}` : ""}{result.tokens ? ` · ${T.settings.tokens(result.tokens)}` : ""}</p>
            {result.because ? <p><Text>{result.because}</Text></p> : null}
            <p class="muted">{result.sends_to ? <Text>{T.status.sendsTo(result.sends_to)}</Text> : T.status.nothingLeaves}</p>
          </Notice>
        ) : null}
      </div>
    </div>
  );
}

/** Goals and the settings that reach them; one click puts them into the form, where the diff can be seen and saved. */
const RECIPES: ReadonlyArray<{ name: keyof typeof T.recipes; values: Record<string, unknown> }> = [
  { name: "everyday", values: { "memory.style": "hybrid", "chat.prompt_memory_mode": "live-reload" } },
  { name: "deterministic", values: { "memory.style": "hybrid", "chat.prompt_memory_mode": "frozen-at-session-start" } },
  { name: "searchOnly", values: { "memory.style": "search-only" } },
  { name: "promptOnly", values: { "memory.style": "prompt-only" } },
  { name: "noWrites", values: { "memory.agent_write_mode": "off" } },
  { name: "explicitProfile", values: { "memory.user_profile_write_mode": "explicit-only" } },
  { name: "configProfile", values: { "memory.user_profile_write_mode": "off" } },
  { name: "qmd", values: { "memory.backend": "qmd" } },
];

function Recipes(): JSX.Element {
  return (
    <section aria-labelledby="recipes">
      <h2 id="recipes">{T.settings.recipes}</h2>
      <table class="rows">
        <thead><tr><th scope="col">{T.settings.goal}</th><th scope="col">{T.settings.settingsWord}</th><th scope="col"><span class="visually-hidden">{T.settings.apply}</span></th></tr></thead>
        <tbody>
          {RECIPES.map(({ name, values }) => {
            const missing = Object.keys(values).some((key) => !keysByName.value.has(key));
            const holds = !missing && Object.entries(values).every(([key, value]) => isSame(valueOf(key), value));
            return (
              <tr key={name}>
                <td>{T.recipes[name]}</td>
                <td>{Object.entries(values).map(([key, value]) => <div key={key}><code>{key} = {shownValue(value)}</code></div>)}</td>
                <td class="align-right">{missing ? <span class="muted">{T.settings.notYet}</span> : holds ? <span class="muted">{T.settings.holds}</span> : <Button onClick={() => Object.entries(values).forEach(([key, value]) => change(key, value))} aria-label={T.settings.applyRecipe(T.recipes[name])}>{T.settings.apply}</Button>}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}
