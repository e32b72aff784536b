/** Answers the Logs window. Where the logs are is known here; the page names no file. */
import { clipboard } from 'electron';
import type { Desktop } from '../desktop.ts';
import type { ShellRequest, ShellState } from '../ipc/contract.ts';
import { answerAnywhere } from '../menu/commandHandlers.ts';
import { LogSession } from './logSession.ts';
import { noStop } from '../safetyStop/stopView.ts';

/** What the window that is open has read; a page that is loaded begins anew. */
let session: LogSession | null = null;

export async function answerLogs(desktop: Desktop, request: ShellRequest): Promise<unknown> {
  session ??= new LogSession(desktop.appPaths.logDir);
  switch (request.ask) {
    case 'state':
      session = new LogSession(desktop.appPaths.logDir);
      return { page: { page: 'logs' }, notices: [], stop: noStop } satisfies ShellState;
    case 'log-start':
      return session.start(request.filter);
    case 'log-older':
      return session.older();
    case 'log-newer':
      return session.newer();
    case 'log-copy':
      return clipboard.writeText(request.text);
    default:
      return answerAnywhere(desktop, request);
  }
}
