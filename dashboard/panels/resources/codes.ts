/** The attributes of a resource that are a code, such as its barcode. Pure. */
import type { ResourceRow } from '../../managers/resource/resourceRow.ts';
import type { ResourceIndex } from '../../managers/resource/resourceIndex.ts';

/** A name that is, or ends with, words for a code: `plate_barcode` is one, `serial_dilution` is not. */
const codeName =
  /(?:^|[\s._-])(?:bar[\s_-]?code|qr(?:[\s_-]?code)?|rfid|serial(?:[\s_-]?(?:no|number))?|label(?:[\s_-]?id)?)$/i;

export function codesOf({ attributes }: Pick<ResourceRow, 'attributes'>): readonly string[] {
  return Object.entries(attributes).flatMap(([name, value]) =>
    codeName.test(name) && (typeof value === 'string' || typeof value === 'number') ? [String(value)] : [],
  );
}

/** Those that have exactly this code: by ID, else by a code, else by name; however it is capitalised. */
export function findByCode(index: ResourceIndex, text: string): readonly ResourceRow[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return [];
  const is = (value: string): boolean => value.toLowerCase() === wanted;
  const ways: readonly ((row: ResourceRow) => boolean)[] = [
    ({ id }) => is(id),
    (row) => codesOf(row).some(is),
    ({ name }) => is(name),
  ];
  return ways.map((way) => index.all.filter(way)).find((found) => found.length > 0) ?? [];
}
