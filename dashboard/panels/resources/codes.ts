/** Finds resources by ID, code (such as a barcode in their attributes) or name, and the browser's barcode detector. */
import type { ResourceRow } from '../../managers/resource/resourceRow.ts';
import type { ResourceIndex } from '../../managers/resource/resourceIndex.ts';
import { formatJson } from '#api/exactJson.ts';

/** Matches attribute names that end with a term for a code: `plate_barcode`, but not `serial_dilution`. */
const codeNamePattern =
  /(?:^|[\s._-])(?:bar[\s_-]?code|qr(?:[\s_-]?code)?|rfid|serial(?:[\s_-]?(?:no|number))?|label(?:[\s_-]?id)?)$/i;

/** Returns the codes of a resource, such as its barcode. */
export function listCodes({ attributes }: Pick<ResourceRow, 'attributes'>): readonly string[] {
  return Object.entries(attributes).flatMap(([name, value]) =>
    codeNamePattern.test(name) && (typeof value === 'string' || typeof value === 'number') ? [formatJson(value)] : [],
  );
}

/** Returns the resources whose ID equals the text; if there are none, those by code, then by name. Ignores case. */
export function findByCode(index: ResourceIndex, text: string): readonly ResourceRow[] {
  const code = text.trim().toLowerCase();
  if (code === '') return [];
  const matches = (value: string): boolean => value.toLowerCase() === code;
  const matchers: readonly ((row: ResourceRow) => boolean)[] = [
    ({ id }) => matches(id),
    (row) => listCodes(row).some(matches),
    ({ name }) => matches(name),
  ];
  return matchers.map((matcher) => index.all.filter(matcher)).find((matchingRows) => matchingRows.length > 0) ?? [];
}

/**
 * The browser's barcode detector, available in Chromium on Android, ChromeOS and macOS; not part of TypeScript's types
 * yet. Pages over plain HTTP from another machine have no camera.
 */
interface BarcodeReader {
  detect(source: HTMLVideoElement): Promise<readonly { readonly rawValue: string }[]>;
}
type ReaderClass = new () => BarcodeReader;

/** Returns the barcode detector; `null` if the browser has none or gives the page no camera. */
export function findBarcodeReader(): ReaderClass | null {
  const detector = (globalThis as { readonly BarcodeDetector?: ReaderClass }).BarcodeDetector;
  const media = (navigator as { readonly mediaDevices?: MediaDevices }).mediaDevices;
  return detector !== undefined && typeof media?.getUserMedia === 'function' ? detector : null;
}

/** Returns whether camera access can be requested: the app's window never grants it, browsers remember a refusal. */
export async function mayUseCamera(): Promise<boolean> {
  if (findBarcodeReader() === null) return false;
  const { permissions } = navigator as { readonly permissions?: Permissions };
  try {
    const camera = await permissions?.query({ name: 'camera' });
    return camera?.state !== 'denied';
  } catch {
    // Browsers without this permission report a refusal when the camera starts.
    return true;
  }
}
