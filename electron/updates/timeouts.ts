/** A download that fails when its transfer stalls. */
import type { AppUpdater, CancellationToken } from 'electron-updater';
import { clock } from '../../api/time/clock.ts';
import { stallTimeoutSeconds } from './updateTexts.ts';

/** Downloads, with a timeout for a stalled transfer. @returns absolute paths of the downloaded files */
export async function downloadWithStallTimeout(
  updater: AppUpdater,
  token: CancellationToken,
  onPercent: (percent: number) => void,
): Promise<readonly string[]> {
  let timer: NodeJS.Timeout | null = null;
  let rejectStalled = (): void => undefined;
  const stall = new Promise<never>((_resolve, reject) => {
    rejectStalled = () => {
      token.cancel();
      reject(new Error(`no data was received for ${stallTimeoutSeconds} s`));
    };
  });
  const restartTimer = (): void => {
    if (timer) clock.clearTimeout(timer);
    timer = clock.setTimeout(rejectStalled, stallTimeoutSeconds * 1000);
  };
  const onProgress = ({ percent }: { percent: number }): void => {
    restartTimer();
    onPercent(Math.floor(percent));
  };
  restartTimer();
  updater.on('download-progress', onProgress);
  try {
    const download = updater.downloadUpdate(token);
    download.catch(() => undefined);
    return await Promise.race([download, stall]);
  } finally {
    updater.off('download-progress', onProgress);
    if (timer) clock.clearTimeout(timer);
  }
}
