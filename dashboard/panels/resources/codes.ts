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
  const requested = text.trim().toLowerCase();
  if (requested === '') return [];
  const is = (value: string): boolean => value.toLowerCase() === requested;
  const matchers: readonly ((row: ResourceRow) => boolean)[] = [
    ({ id }) => is(id),
    (row) => codesOf(row).some(is),
    ({ name }) => is(name),
  ];
  return matchers.map((matcher) => index.all.filter(matcher)).find((found) => found.length > 0) ?? [];
}

/**
 * The browser's own reader of codes, where it has one: Chromium on Android, ChromeOS and macOS. It isn't in TypeScript's types yet.
 * A page that came over plain http from another machine has no camera.
 */
interface BarcodeReader {
  detect(source: HTMLVideoElement): Promise<readonly { readonly rawValue: string }[]>;
}
type ReaderClass = new () => BarcodeReader;

/** `null` where the browser has none, or no camera that it would give to this page. */
export function barcodeReaderClass(): ReaderClass | null {
  const found = (globalThis as { readonly BarcodeDetector?: ReaderClass }).BarcodeDetector;
  const media = (navigator as { readonly mediaDevices?: MediaDevices }).mediaDevices;
  return found !== undefined && typeof media?.getUserMedia === 'function' ? found : null;
}

/** Whether the camera may be asked for: the app's own window never gives it, and a browser remembers who said no. */
export async function mayUseCamera(): Promise<boolean> {
  if (barcodeReaderClass() === null) return false;
  const { permissions } = navigator as { readonly permissions?: Permissions };
  try {
    const camera = await permissions?.query({ name: 'camera' });
    return camera?.state !== 'denied';
  } catch {
    // A browser that knows no such permission says so when the camera is started.
    return true;
  }
}
