/** The resources that a scanned or typed code means. Pure. */
import type { ResourceIndex } from '../../../managers/resource/resourceIndex.ts';
import type { ResourceRow } from '../../../managers/resource/resourceRow.ts';
import { codesOf } from '../codes.ts';

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
