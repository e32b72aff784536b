/** The attributes of a resource that are a code, such as its barcode. Pure. */
import type { ResourceRow } from '../../managers/resource/resourceRow.ts';

/** Attributes whose name says that they are a code. */
const isCode = (name: string): boolean => /bar_?code|qr|rfid|serial|label/i.test(name);

export function codesOf({ attributes }: Pick<ResourceRow, 'attributes'>): readonly string[] {
  return Object.entries(attributes).flatMap(([name, value]) =>
    isCode(name) && (typeof value === 'string' || typeof value === 'number') ? [String(value)] : [],
  );
}
