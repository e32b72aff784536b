/** The main process's end of the bridge: it accepts only the shell's pages, and only messages of the contract. */
import { ipcMain, type WebContents } from 'electron';
import { errorText } from '../../api/errorText.ts';
import { EnteredAddressError } from '../../server/attached/findLabManager.ts';
import type { Log } from '../../server/logging/log.ts';
import { dashboardOriginFor, isShellUrl } from './ownPages.ts';
import { noticePress, type NoticePress, pageCommand, type PageCommand } from './commands.ts';
import { channels, type ShellResponse } from './contract.ts';
import { tryParseUrl } from '../../api/url.ts';

/** @param run runs a command of the page in `contents`; if it rejects, the page receives the error's message */
export function handlePages(run: (contents: WebContents, command: PageCommand) => Promise<unknown>, log: Log): void {
  ipcMain.handle(channels.request, async (event, message: unknown): Promise<ShellResponse> => {
    const from = event.senderFrame?.url ?? '';
    if (!isShellUrl(from) || event.senderFrame !== event.sender.mainFrame) {
      // The frame of a page that has just been replaced is no stranger.
      log[isShellUrl(from) ? 'debug' : 'warn'](`Refused a request from ${from}`);
      return { ok: false, error: 'Only the pages of this app may send requests' };
    }
    const command = pageCommand.safeParse(message);
    if (!command.success) return { ok: false, error: `Not a command: ${command.error.message}` };
    try {
      return { ok: true, value: await run(event.sender, command.data) };
    } catch (error) {
      // Invalid input is shown to the user and is not an error of the app.
      const isInvalidInput = error instanceof EnteredAddressError;
      log[isInvalidInput ? 'info' : 'error'](`${command.data.command}: ${errorText(error)}`);
      return { ok: false, error: errorText(error) };
    }
  });
}

/**
 * Handles the buttons of the dashboard's notices; the dashboard may send nothing else.
 * @param contents the only web contents that show them
 */
export function handleNoticeButtons(
  contents: () => WebContents,
  onPress: (press: NoticePress) => void,
  log: Log,
): void {
  ipcMain.on(channels.pressNotice, (event, message: unknown) => {
    const from = event.senderFrame?.url ?? '';
    const origin = tryParseUrl(from)?.origin;
    const isDashboard =
      event.sender === contents() &&
      event.senderFrame === event.sender.mainFrame &&
      origin !== undefined &&
      origin === dashboardOriginFor(event.sender.id);
    const press = noticePress.safeParse(message);
    if (isDashboard && press.success) return onPress(press.data);
    log.warn(`Refused a press of a notice from ${from}`);
  });
}
