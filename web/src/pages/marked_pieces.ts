// Where the words of a question stand in a text: few long pieces, because each becomes a node of the page.
const SHORTEST = 4; // letters of a Latin word that is marked: shorter ones are mostly not what is asked for
const LONG = 5; // letters; of a longer word the last two may differ

/** The text in pieces, of which every second one is to be marked. */
export function markedPieces(text: string, query: string): string[] {
  const words = (query.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []).filter((word) => word.length >= SHORTEST || /[^\u0000-\u024f]/.test(word));
  if (!words.length) return [text];
  const stems = words.map((word) => (word.length > LONG ? word.slice(0, word.length - 2) : word));
  const pieces: string[] = [];
  let end = 0;
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{N}_]+/gu)) {
    const low = word.toLowerCase();
    if (!stems.some((stem) => low.startsWith(stem))) continue;
    pieces.push(text.slice(end, index), word);
    end = index + word.length;
  }
  pieces.push(text.slice(end));
  return pieces;
}
