/** Timeouts for a feed. */
import type { AppUpdater, CancellationToken } from 'electron-updater';
import { stallSeconds } from './updateTexts.ts';

/** Downloads, with a timeout for a stalled transfer. @returns absolute paths of the downloaded files */
export async function stallWatched(
  updater: AppUpdater,
  token: CancellationToken,
  onPercent: (percent: number) => void,
): Promise<readonly string[]> {
  let timer: NodeJS.Timeout | null = null;
  let stalled = (): void => undefined;
  const stall = new Promise<never>((_resolve, reject) => {
    stalled = () => {
      token.cancel();
      reject(new Error(`nothing came for ${stallSeconds} s`));
    };
  });
  const alive = (): void => {
    if (timer) clearTimeout(timer);
    timer = setTimeout(stalled, stallSeconds * 1000);
  };
  const onProgress = ({ percent }: { percent: number }): void => {
    alive();
    onPercent(Math.floor(percent));
  };
  alive();
  updater.on('download-progress', onProgress);
  try {
    const work = updater.downloadUpdate(token);
    work.catch(() => undefined);
    return await Promise.race([work, stall]);
  } finally {
    updater.off('download-progress', onProgress);
    if (timer) clearTimeout(timer);
  }
}
