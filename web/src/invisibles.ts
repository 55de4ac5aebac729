// Characters that nobody sees → a form that shows them, as guard/invisibles.py does it on the command line: whoever
// reads a note must see what a model reads in it.
const JOINERS = "\\u200c\\u200d";
const MARKS = "\\u061c\\u200e\\u200f"; // a bidirectional mark turns nothing around, and Hebrew and Arabic need it
const SELECTORS = "\\u180b-\\u180d\\u180f\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}";
const ALWAYS =
  "\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f" + // controls
  "\\xad\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180e\\u3164\\uffa0" + // a soft hyphen, joiners and fillers without a picture
  "\\u200b\\u2028-\\u202e\\u2060-\\u206f" + // zero width, line ends that few programs know, embeddings and isolates
  "\\ufdd0-\\ufdef\\ufeff\\ufff0-\\ufffb\\ufffe\\uffff\\ud800-\\udfff" + // noncharacters, annotations, half a character
  "\\u{13430}-\\u{1343f}\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}" + // formatting of hieroglyphs, shorthand, music
  "\\u{e0000}-\\u{e00ff}\\u{e01f0}-\\u{e0fff}"; // tags: whole sentences in invisible ASCII
const INVISIBLE = new RegExp(`[${ALWAYS}${JOINERS}${MARKS}${SELECTORS}]`, "gu");
const ONE = new RegExp(`^[${ALWAYS}${JOINERS}${MARKS}${SELECTORS}]$`, "u");
const JOINER = new RegExp(`^[${JOINERS}]$`, "u");
const MARK = new RegExp(`^[${MARKS}]$`, "u");
const SELECTOR = new RegExp(`^[${SELECTORS}]$`, "u");
const SHAPED =
  /^[\u0600-\u061b\u061d-\u0fff\u1000-\u109f\u1700-\u180a\u1810-\u18af\u1900-\u1cff\ua800-\uabff\ufb50-\ufdcf\ufdf0-\ufdff\ufe70-\ufefc\u{10a00}-\u{11fff}\u{1e900}-\u{1e95f}\xa9\xae\u203c\u2049\u20e3\u2122\u2139\u2190-\u2bff\u3030\u303d\u3297\u3299\ufe0f\u{1f000}-\u{1faff}]$/u;
const RIGHT_TO_LEFT = /[\u0590-\u061b\u061d-\u08ff\ufb1d-\ufdcf\ufdf0-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}]/u;
const KEYCAPS = "0123456789#*";
const PICTURES = 0x2400; // the block with a picture of each control character below 0x20

const PLAIN = /^[\t\n\x20-\x7e]*$/; // most texts: looking for that is a tenth of looking for what is hidden

export interface Piece { text: string; hidden: boolean }

/** The text in pieces, those that stand for hidden characters marked. */
export function reveal(text: string): Piece[] {
  if (text && PLAIN.test(text)) return [{ text, hidden: false }];
  const pieces: Piece[] = [];
  let at = 0;
  let before: string | undefined;
  for (const match of text.matchAll(INVISIBLE)) {
    const char = match[0];
    before ??= RIGHT_TO_LEFT.test(text) ? "rtl" : "ltr";
    const previous = lastOf(text.slice(Math.max(0, match.index - 2), match.index));
    if (isNeeded(char, previous, before === "rtl")) continue;
    if (match.index > at) pieces.push({ text: text.slice(at, match.index), hidden: false });
    pieces.push({ text: picture(char), hidden: true });
    at = match.index + char.length;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), hidden: false });
  return pieces;
}

export function revealed(text: string): string {
  return reveal(text).map((piece) => piece.text).join("");
}

export function hasHidden(text: string): boolean {
  return reveal(text).some((piece) => piece.hidden);
}

/** Whether the character shapes what stands before it. Never two in a row: a run of them can carry a message. */
function isNeeded(char: string, previous: string, rightToLeft: boolean): boolean {
  if (JOINER.test(char)) return SHAPED.test(previous);
  const inRun = ONE.test(previous);
  if (MARK.test(char)) return rightToLeft && !inRun;
  if (SELECTOR.test(char) && previous) return !inRun && (KEYCAPS.includes(previous) || previous.codePointAt(0)! > 0x7f);
  return false;
}

function lastOf(text: string): string {
  return [...text].pop() ?? "";
}

function picture(char: string): string {
  const code = char.codePointAt(0)!;
  return code < 0x20 ? String.fromCodePoint(PICTURES + code) : `⟦U+${code.toString(16).toUpperCase().padStart(4, "0")}⟧`;
}
