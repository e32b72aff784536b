/** What files are called within an archive: readable everywhere, each name once, and never a path. Pure. */

/** What some system doesn't allow in a name, and whatever would make it a path. */
// oxlint-disable-next-line no-control-regex -- they are what must not be in a name
const forbidden = /[\u0000-\u001F\u007F<>:"/\\|?*]/g;
/** Halves of a character can't be written. */
const halves = /\p{Surrogate}/gu;
/** Names of devices in Windows, with or without an extension. */
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;
const longest = 120;

/** A name that every system takes. */
export function safeName(name: string): string {
  const plain = name
    .replaceAll(halves, '_')
    .normalize('NFC')
    .replaceAll(forbidden, '_')
    .replace(/^[\s.]+/, '')
    .replace(/[\s.]+$/, '');
  const whole = plain === '' ? 'datapoint' : reserved.test(plain) ? `_${plain}` : plain;
  if (whole.length <= longest) return whole;
  const [, begin = whole, extension = ''] = /^(.*?)(\.[^.]{1,10})?$/s.exec(whole) ?? [];
  return `${begin
    .slice(0, longest - extension.length)
    .replace(halves, '')
    .trimEnd()}${extension}`;
}

/** The names in their order; what is there already, in whatever case, gets a number: `curve (2).json`. */
export function entryNames(names: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  /** Of each name the number to try next: thousands may have the same label. */
  const numbers = new Map<string, number>();
  return names.map((name) => {
    const safe = safeName(name);
    const [, begin = safe, extension = ''] = /^(.+?)(\.[^.]+)?$/s.exec(safe) ?? [];
    let next = safe;
    const key = safe.toLowerCase();
    for (let number = numbers.get(key) ?? 2; taken.has(next.toLowerCase()); number += 1) {
      next = `${begin} (${number})${extension}`;
      numbers.set(key, number + 1);
    }
    taken.add(next.toLowerCase());
    return next;
  });
}
