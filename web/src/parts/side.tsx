// The bar at the side: agent, pages, the state of the line, the theme.
import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { line } from "../events.ts";
import { agent, go, place } from "../router.ts";
import { agentName, agents, waiting, whoami } from "../store.ts";
import { T } from "../texts.ts";
import { PAGES } from "../pages/table.tsx";
import { Button, Go } from "./basic.tsx";
import { Icon } from "./icons.tsx";
import { paletteOpen } from "./palette.tsx";
import { helpOpen } from "./help.tsx";
import { type Theme, theme } from "./theme.ts";

const menuOpen = signal(false);

export function Side(): JSX.Element {
  const { path } = place.value;
  const here = (to: string): boolean => (to === "/" ? path === "/" : path === to || path.startsWith(to + "/"));
  return (
    <header class={menuOpen.value ? "side open" : "side"}>
      <div class="side-top">
        <Go to="/" class="brand" aria-label={T.brandHome}><Brand /> <span>Holdfast</span></Go>
        <LiveDot />
        <Button kind="quiet" icon="menu" class="menu" aria-expanded={menuOpen.value} aria-controls="nav" aria-label={T.menu} onClick={() => (menuOpen.value = !menuOpen.value)} />
      </div>
      <div class="side-body" id="nav" onClick={(event) => (event.target as Element).closest("a") && (menuOpen.value = false)}>
        <AgentSwitch />
        <button type="button" class="palette-open" onClick={() => (paletteOpen.value = true)}><Icon name="search" /><span>{T.palette.open}</span><kbd>Ctrl K</kbd></button>
        <nav aria-label={T.nav}>
          {[0, 1, 2].map((group) => (
            <ul key={group}>
              {PAGES.filter((page) => page.group === group).map((page) => (
                <li key={page.to}>
                  <Go to={page.to} aria-current={here(page.to) ? "page" : undefined}>
                    <Icon name={page.name} />
                    <span>{T.pages[page.name].name}</span>
                    {page.name === "inbox" && waiting.value ? <span class="count" aria-label={T.inbox.count(waiting.value)}>{waiting.value}</span> : null}
                  </Go>
                </li>
              ))}
            </ul>
          ))}
        </nav>
        <div class="side-foot">
          <label class="visually-hidden" for="theme">{T.theme.label}</label>
          <select id="theme" value={theme.value} onChange={(event) => (theme.value = event.currentTarget.value as Theme)}>
            {(["auto", "light", "dark"] as const).map((name) => <option value={name} key={name}>{T.theme[name]}</option>)}
          </select>
          <Button kind="quiet" aria-label={T.keys.help} onClick={() => (helpOpen.value = true)}>?</Button>
        </div>
        {whoami.value?.remote && !whoami.value.secure ? <p class="notice warn small" role="alert">{T.plainLine}</p> : null}
      </div>
    </header>
  );
}

function Brand(): JSX.Element {
  return <svg viewBox="0 0 32 32" width="20" height="20" aria-hidden="true"><rect width="32" height="32" rx="7" class="brand-box" /><path d="M10 7v18M22 7v18M10 16h12" class="brand-line" /></svg>;
}

function LiveDot(): JSX.Element {
  const text = T.line[line.value];
  return <span class={`live ${line.value}`} role="img" aria-label={text} title={text} />;
}

function AgentSwitch(): JSX.Element | null {
  const all = agents.value?.agents ?? [];
  const names = all.map((one) => one.id);
  if (!names.includes(agentName.value)) names.unshift(agentName.value);
  if (names.length < 2 && !agent.value) return null;
  const change = (name: string): void => {
    const query = new URLSearchParams(place.value.query);
    query.delete("agent");
    if (name !== agents.value?.default) query.set("agent", name);
    const page = `/${place.value.path.split("/")[1] ?? ""}`;
    const said = query.toString();
    go(page + (said ? `?${said}` : ""), { whose: "" });
  };
  return (
    <div class="agent">
      <label for="agent">{T.agent}</label>
      <select id="agent" value={agentName.value} onChange={(event) => change(event.currentTarget.value)}>
        {names.map((name) => <option value={name} key={name}>{name}</option>)}
      </select>
    </div>
  );
}
