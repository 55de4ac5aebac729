// CodeMirror in a shadow root: under our CSP a style element in the document is refused, and adopted sheets are not.
// It is a part of its own, loaded when somebody edits.
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { defineLanguageFacet, HighlightStyle, indentUnit, Language, syntaxHighlighting } from "@codemirror/language";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, drawSelection, EditorView, highlightActiveLine, highlightSpecialChars, keymap, lineNumbers } from "@codemirror/view";
import { styleTags, tags } from "@lezer/highlight";
import { GFM, parser } from "@lezer/markdown";

export interface Editor {
  text: () => string;
  set: (text: string) => void;
  focus: () => void;
  /** Mark the line that was refused, and show it. */
  mark: (line: number | null) => void;
  destroy: () => void;
}

export interface EditorOptions { text: string; label: string; changed: (text: string) => void; save: () => void; leave: () => void; line?: number }

const facet = defineLanguageFacet({ commentTokens: { block: { open: "<!--", close: "-->" } } });
const styled = parser.configure([GFM, { props: [styleTags({ "TableHeader/...": tags.heading })] }]);
const markdown = new Language(facet, styled as never, [], "markdown");

const colours = HighlightStyle.define([
  { tag: tags.heading, fontWeight: "650" },
  { tag: tags.strong, fontWeight: "650" },
  { tag: tags.emphasis, fontStyle: "italic" },
  { tag: tags.strikethrough, textDecoration: "line-through" },
  { tag: [tags.link, tags.url], color: "var(--accent)" },
  { tag: tags.monospace, color: "var(--code)" },
  { tag: [tags.processingInstruction, tags.contentSeparator, tags.comment, tags.labelName], color: "var(--muted)" },
  { tag: tags.quote, color: "var(--muted)" },
]);

const look = EditorView.theme({
  "&": { height: "100%", fontSize: "14px", color: "var(--text)", backgroundColor: "var(--paper)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.6", overflow: "auto" },
  ".cm-content": { padding: "12px 0", caretColor: "var(--text)" },
  ".cm-line": { padding: "0 16px", unicodeBidi: "plaintext" },
  ".cm-gutters": { backgroundColor: "var(--paper)", color: "var(--muted)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--soft)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--select)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-specialChar": { color: "var(--bad)", fontWeight: "600" },
  ".cm-refused": { backgroundColor: "var(--bad-soft)", boxShadow: "inset 3px 0 var(--bad)" },
  ".cm-panels": { backgroundColor: "var(--soft)", color: "var(--text)" },
  ".cm-searchMatch": { backgroundColor: "var(--marked)" },
});

const markLine = StateEffect.define<number | null>();
const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(value, transaction) {
    let made = value.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(markLine)) continue;
      const line = effect.value;
      const known = line !== null && line >= 1 && line <= transaction.state.doc.lines;
      made = known ? Decoration.set([Decoration.line({ class: "cm-refused" }).range(transaction.state.doc.line(line).from)]) : Decoration.none;
    }
    return made;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** As the reader draws them: bidi, tags and zero-width characters by their numbers. */
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]/gu;

export function openEditor(host: HTMLElement, options: EditorOptions): Editor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  const from = startOf(options.text, options.line);
  const view = new EditorView({
    root,
    parent: root,
    scrollTo: EditorView.scrollIntoView(from, { y: "center" }),
    state: EditorState.create({
      doc: options.text,
      selection: { anchor: from },
      extensions: [
        lineNumbers(), history(), drawSelection(), highlightActiveLine(), search({ top: true }), highlightSelectionMatches(),
        highlightSpecialChars({
          specialChars: HIDDEN,
          render: (code) => {
            const drawn = document.createElement("span");
            drawn.className = "cm-specialChar";
            drawn.textContent = `⟦U+${code.toString(16).toUpperCase().padStart(4, "0")}⟧`;
            return drawn;
          },
        }),
        markdown, syntaxHighlighting(colours), indentUnit.of("  "), marks, look, EditorView.lineWrapping, EditorView.perLineTextDirection.of(true),
        EditorState.tabSize.of(4),
        EditorView.contentAttributes.of({ "aria-label": options.label, spellcheck: "true", autocorrect: "off", autocapitalize: "off" }),
        keymap.of([
          { key: "Mod-s", run: () => (options.save(), true), preventDefault: true },
          { key: "Escape", run: () => (options.leave(), true) },
          ...searchKeymap, ...defaultKeymap, ...historyKeymap, indentWithTab,
        ]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) options.changed(update.state.doc.toString());
        }),
      ],
    }),
  });
  return {
    text: () => view.state.doc.toString(),
    set: (text) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }),
    focus: () => view.focus(),
    mark: (line) => {
      const effects: StateEffect<unknown>[] = [markLine.of(line)];
      if (line !== null && line >= 1 && line <= view.state.doc.lines) effects.push(EditorView.scrollIntoView(view.state.doc.line(line).from, { y: "center" }));
      view.dispatch({ effects });
    },
    destroy: () => view.destroy(),
  };
}

/** Where a line begins; the beginning where there is no such line. */
function startOf(text: string, line = 1): number {
  let at = 0;
  for (let number = 1; number < line; number++) {
    const end = text.indexOf("\n", at);
    if (end < 0) return 0;
    at = end + 1;
  }
  return at;
}
