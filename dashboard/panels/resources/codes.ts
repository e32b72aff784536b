/** The attributes of a resource that are a code, such as its barcode. Pure. */
import type { ResourceRow } from '../../managers/resource/resourceRow.ts';

/** A name that is, or ends with, words for a code: `plate_barcode` is one, `serial_dilution` is not. */
const codeName =
  /(?:^|[\s._-])(?:bar[\s_-]?code|qr(?:[\s_-]?code)?|rfid|serial(?:[\s_-]?(?:no|number))?|label(?:[\s_-]?id)?)$/i;

export function codesOf({ attributes }: Pick<ResourceRow, 'attributes'>): readonly string[] {
  return Object.entries(attributes).flatMap(([name, value]) =>
    codeName.test(name) && (typeof value === 'string' || typeof value === 'number') ? [String(value)] : [],
  );
}
