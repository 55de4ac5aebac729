// Your questions are written as a whole, over just what was read; Undo puts back what was there.
import { call } from "../api.ts";
import { say } from "../parts/toast.tsx";
import type { QuestionRow, Questions } from "../shapes.ts";
import { T } from "../texts.ts";

export async function keepQuestions(before: Questions, rows: QuestionRow[], said: string, shown: (made: Questions) => void = () => undefined): Promise<void> {
  const put = (held: Questions, next: QuestionRow[]): Promise<Questions> => call("PUT /questions", { body: { questions: next, expected_hash: held.hash } });
  const change = async (from: Questions, to: QuestionRow[], text: string, label: string): Promise<void> => {
    const made = await put(from, to);
    shown(made);
    const [next, nextLabel] = label === T.redo ? [T.redone, T.undo] : [T.undone, T.redo];
    const unknown = made.missing.filter((path) => !before.missing.includes(path));
    say(unknown.length ? `${text} ${T.quality.missing(unknown.join(", "))}` : text, { label, undo: () => change(made, from.questions, next, nextLabel) });
  };
  await change(before, rows, said, T.undo);
}

/** A hit of a search answers its question: keep that. */
export async function addQuestion(row: QuestionRow): Promise<void> {
  const held = await call("GET /questions");
  await keepQuestions(held, [...held.questions, row], T.quality.added);
}
