import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { allShortcuts } from "../keys.ts";
import { T } from "../texts.ts";
import { Button } from "./basic.tsx";
import { Dialog } from "./dialog.tsx";

export const helpOpen = signal(false);

/** Every shortcut that works here and now. */
export function Help(): JSX.Element | null {
  if (!helpOpen.value) return null;
  const close = (): void => void (helpOpen.value = false);
  const all = allShortcuts();
  const groups = [...new Set(all.map((one) => one.group))];
  return (
    <Dialog label={T.keys.title} close={close} kind="help">
      <header><h2>{T.keys.title}</h2><Button kind="quiet" icon="close" aria-label={T.close} onClick={close} /></header>
      <div class="help-groups">
        {groups.map((group) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl>
              {all.filter((one) => one.group === group).map((one) => (
                <div key={one.keys}><dt>{one.keys.split(" ").map((key) => <kbd key={key}>{key.replace("-k", " K").replace("-s", " S")}</kbd>)}</dt><dd>{one.text}</dd></div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
