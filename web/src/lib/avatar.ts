/** The face of a player, chosen by the name: the same name has the same face on every device. */

export interface Avatar {
  skin: string;
  hair: string;
  /** Index into HATS. */
  hat: number;
  hasLongHair: boolean;
  hasGlasses: boolean;
  hasMoustache: boolean;
}

const SKINS = ["#f6d7b8", "#e9b98f", "#c98f62", "#96623d", "#6b432b"];
const HAIRS = ["#2b2320", "#5a3823", "#8f5a2b", "#b9803c", "#8c8781", "#a4492a"];
export const HATS = ["conductor", "bowler", "engineer", "straw"] as const;

/** Names of bots that have a moustache. People have none, because a name does not tell who wants one. */
const MOUSTACHES = new Set(["Otis", "Jasper", "Victor", "August", "Silas"]);
/** Names of bots with short hair. */
const SHORT = new Set(["Otis", "Toby", "Jasper", "Felix", "Victor", "August", "Silas"]);

/** FNV-1a with a final mix, so that similar names get different faces. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const letter of text) value = Math.imul(value ^ letter.codePointAt(0)!, 0x01000193);
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d);
  return (value ^ (value >>> 13)) >>> 0;
}

export function avatarOf(name: string): Avatar {
  let rest = hash(name);
  const pick = (count: number): number => {
    const picked = rest % count;
    rest = Math.floor(rest / count);
    return picked;
  };
  return {
    hat: pick(HATS.length),
    skin: SKINS[pick(SKINS.length)]!,
    hair: HAIRS[pick(HAIRS.length)]!,
    hasGlasses: pick(3) === 0,
    hasLongHair: pick(2) === 0 && !SHORT.has(name),
    hasMoustache: MOUSTACHES.has(name),
  };
}
