// The shell: who is let in, where the page is, and what stands around every page.
import "./css/base.css";
import "./css/parts.css";
import "./css/pages.css";
import "./css/sessions.css";
import { effect } from "@preact/signals";
import { render } from "preact";
import { entry, pageKey, sentenceOf } from "./api.ts";
import { startEvents } from "./events.ts";
import { keep, kept } from "./kept.ts";
import { shortcut, startKeys } from "./keys.ts";
import { agent, go, place, startRouter } from "./router.ts";
import { startStore } from "./store.ts";
import { Entering, Lost } from "./pages/door.tsx";
import { PAGES, pageFor } from "./pages/table.tsx";
import { Failure, Page } from "./parts/basic.tsx";
import { Help, helpOpen } from "./parts/help.tsx";
import { Palette, paletteOpen } from "./parts/palette.tsx";
import { Side } from "./parts/side.tsx";
import { Toast, undoLast } from "./parts/toast.tsx";
import { theme } from "./parts/theme.ts";
import { T } from "./texts.ts";
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useErrorBoundary, useLayoutEffect, useRef } from "preact/hooks";

function App(): JSX.Element {
  const { path } = place.value;
  const main = useRef<HTMLElement>(null);
  const before = useRef(path);
  useEffect(() => {
    if (before.current === path) return;
    // A new page is told to a reader of screens by its heading; within the notes the tree keeps the focus.
    const same = before.current.split("/")[1] === path.split("/")[1];
    before.current = path;
    // A field that the page itself has put the focus on keeps it.
    const taken = document.activeElement?.matches("#main input, #main textarea");
    if (!same && !taken) main.current?.querySelector<HTMLElement>("h1")?.focus({ preventScroll: true });
  }, [path]);
  if (path === "/enter") return <Entering />;
  if (entry.value === "out") return <Lost />;
  const Shown = pageFor(path);
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => (event.preventDefault(), main.current?.focus())}>{T.skip}</a>
      <div class="shell">
        <Side />
        <main id="main" ref={main} tabIndex={-1} key={agent.value}><Guarded path={path}><Shown path={path} /></Guarded></main>
      </div>
      <Toast />
      <Palette />
      <Help />
    </>
  );
}

/** A page that can't be drawn says so, and takes nothing else along; the next one is tried. */
function Guarded({ path, children }: { path: string; children: ComponentChildren }): JSX.Element {
  const [fault, forgive] = useErrorBoundary();
  useLayoutEffect(forgive, [path]);
  if (!fault) return <>{children}</>;
  return <Page title={T.error.title}><Failure text={`${T.error.unknown} (${sentenceOf(fault)})`} again={forgive} /></Page>;
}

function start(): void {
  startRouter();
  startKeys();
  shortcut("/", T.keys.search, T.keys.everywhere, () => {
    const field = document.querySelector<HTMLInputElement>("input[type=search][data-main]");
    if (field) field.focus();
    else go("/search");
  });
  shortcut("Ctrl-k", T.keys.palette, T.keys.everywhere, () => (paletteOpen.value = !paletteOpen.value));
  shortcut(".", T.keys.actions, T.keys.everywhere, () => (paletteOpen.value = true));
  shortcut("?", T.keys.help, T.keys.everywhere, () => (helpOpen.value = !helpOpen.value));
  shortcut("u", T.keys.undo, T.keys.everywhere, () => void undoLast());
  for (const page of PAGES) if (page.keys) shortcut(page.keys, T.pages[page.name].name, T.keys.goTo, () => go(page.to));
  theme.value = kept("theme", "auto");
  effect(() => {
    document.documentElement.dataset.theme = theme.value;
    keep("theme", theme.value);
  });
  // Nobody without a key is let in, and who comes by a link gets another: nothing is asked before.
  if (!pageKey() || (location.pathname === "/enter" && location.hash)) entry.value = "out";
  const root = document.getElementById("app")!;
  root.textContent = "";
  render(<App />, root);
  startStore();
  startEvents();
}

start();
