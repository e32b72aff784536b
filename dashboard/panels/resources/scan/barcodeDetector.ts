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
