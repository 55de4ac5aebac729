// The entities of HTML that people write in Markdown; a rarer one stays as it is written.
const NAMED: Record<string, string> = {
  amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0", copy: "©", reg: "®", trade: "™", hellip: "…",
  mdash: "—", ndash: "–", lsquo: "‘", rsquo: "’", ldquo: "“", rdquo: "”", laquo: "«", raquo: "»", bull: "•",
  middot: "·", times: "×", divide: "÷", plusmn: "±", deg: "°", euro: "€", pound: "£", yen: "¥", cent: "¢", sect: "§",
  para: "¶", larr: "←", rarr: "→", uarr: "↑", darr: "↓", harr: "↔", ne: "≠", le: "≤", ge: "≥", auml: "ä", ouml: "ö",
  uuml: "ü", Auml: "Ä", Ouml: "Ö", Uuml: "Ü", szlig: "ß", eacute: "é", egrave: "è", agrave: "à", ccedil: "ç", ntilde: "ñ",
};

export function decodeEntity(entity: string): string {
  const number = /^&#(?:x([0-9a-f]{1,6})|(\d{1,7}));$/i.exec(entity);
  if (number) {
    const code = number[1] ? parseInt(number[1], 16) : Number(number[2]);
    const fits = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
    return fits ? String.fromCodePoint(code) : "\ufffd";
  }
  return NAMED[entity.slice(1, -1)] ?? entity;
}
