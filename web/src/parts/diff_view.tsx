// What a change did: unified with the words that differ marked, or both sides beside each other.
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { diffLines, folded, type Row } from "../diff.ts";
import { T } from "../texts.ts";
import { Text } from "./basic.tsx";

const MOST_ROWS = 2000; // drawn at once; a change of more lines is cut, and says so
const WIDE = "(min-width: 700px)"; // on a phone two columns have three words each

const sign = { same: " ", gone: "−", new: "+" } as const;

export function DiffView({ before, after, beside: wanted = false, names }: { before: string; after: string; beside?: boolean; names?: [string, string] }): JSX.Element {
  const beside = useWide() && wanted;
  const rows = useMemo(() => diffLines(before, after), [before, after]);
  const [all, setAll] = useState(false);
  const shown = all ? rows : folded(rows);
  const cut = shown.length > MOST_ROWS;
  const drawn = cut ? shown.slice(0, MOST_ROWS) : shown;
  if (!rows.some((row) => row.op !== "same")) return <p class="muted">{T.diff.same}</p>;
  return (
    <div class="diff-box">
      <table class={beside ? "diff beside" : "diff"}>
        <caption class="visually-hidden">{T.diff.caption}</caption>
        {beside ? <colgroup><col class="number" /><col /><col class="number" /><col /></colgroup> : null}
        {names ? <thead><tr>{beside ? <><th colSpan={2} scope="col">{names[0]}</th><th colSpan={2} scope="col">{names[1]}</th></> : <th colSpan={4} scope="col">− {names[0]} &nbsp; + {names[1]}</th>}</tr></thead> : null}
        <tbody>
          {beside ? besideRows(drawn, () => setAll(true)) : drawn.map((row, at) => (typeof row === "number" ? <Fold key={at} count={row} span={4} open={() => setAll(true)} /> : <Unified key={at} row={row} />))}
        </tbody>
      </table>
      {cut ? <p class="muted">{T.diff.cut(shown.length - MOST_ROWS)}</p> : null}
    </div>
  );
}

function useWide(): boolean {
  const screen = useMemo(() => matchMedia(WIDE), []);
  const [wide, setWide] = useState(screen.matches);
  useEffect(() => {
    const look = (): void => setWide(screen.matches);
    screen.addEventListener("change", look);
    return () => screen.removeEventListener("change", look);
  }, []);
  return wide;
}

function Unified({ row }: { row: Row }): JSX.Element {
  return (
    <tr class={row.op}>
      <td class="number">{row.old ?? ""}</td>
      <td class="number">{row.new ?? ""}</td>
      <td class="sign" aria-label={T.diff[row.op]}>{sign[row.op]}</td>
      <td class="line"><Words row={row} /></td>
    </tr>
  );
}

function Words({ row }: { row: Row }): JSX.Element {
  const partly = row.words.some((word) => word.op === "same");
  return (
    <>
      {row.words.map((word, at) => {
        if (word.op === "same" || !partly) return <Text key={at}>{word.text}</Text>;
        return word.op === "gone" ? <del key={at}><Text>{word.text}</Text></del> : <ins key={at}><Text>{word.text}</Text></ins>;
      })}
    </>
  );
}

function Fold({ count, span, open }: { count: number; span: number; open: () => void }): JSX.Element {
  return <tr class="fold"><td colSpan={span}><button type="button" onClick={open}>{T.diff.folded(count)}</button></td></tr>;
}

function besideRows(rows: Array<Row | number>, open: () => void): JSX.Element[] {
  const made: JSX.Element[] = [];
  for (let at = 0; at < rows.length; ) {
    const row = rows[at]!;
    if (typeof row === "number") {
      made.push(<Fold key={at} count={row} span={4} open={open} />);
      at++;
      continue;
    }
    if (row.op === "same") {
      made.push(<Pair key={at} left={row} right={row} />);
      at++;
      continue;
    }
    const gone: Row[] = [];
    const fresh: Row[] = [];
    for (; at < rows.length; at++) {
      const next = rows[at]!;
      if (typeof next === "number" || next.op === "same") break;
      (next.op === "gone" ? gone : fresh).push(next);
    }
    for (let place = 0; place < Math.max(gone.length, fresh.length); place++) made.push(<Pair key={`${at}-${place}`} left={gone[place]} right={fresh[place]} />);
  }
  return made;
}

function Pair({ left, right }: { left?: Row; right?: Row }): JSX.Element {
  return (
    <tr>
      <td class="number">{left?.old ?? ""}</td>
      <td class={`line ${left?.op ?? "none"}`}>{left ? <Words row={left} /> : null}</td>
      <td class="number">{right?.new ?? ""}</td>
      <td class={`line ${right?.op ?? "none"}`}>{right ? <Words row={right} /> : null}</td>
    </tr>
  );
}
