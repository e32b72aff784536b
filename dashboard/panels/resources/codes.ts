/** The codes by which people and hand scanners name a resource: its ID, its name, and attributes that are one. Pure. */
import type { ResourceIndex } from '../../managers/resource/resourceIndex.ts';
import type { ResourceRow } from '../../managers/resource/resourceRow.ts';

/** Attributes whose name says that they are a code. */
const isCode = (name: string): boolean => /bar_?code|qr|rfid|serial|label/i.test(name);

export function codesOf({ attributes }: Pick<ResourceRow, 'attributes'>): readonly string[] {
  return Object.entries(attributes).flatMap(([name, value]) =>
    isCode(name) && (typeof value === 'string' || typeof value === 'number') ? [String(value)] : [],
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
