/** Answers the window “Connect to Lab”. */
import type { Desktop } from '../desktop.ts';
import type { ShellRequest } from '../ipc/contract.ts';
import { answerAnywhere } from '../menu/commandHandlers.ts';
import { answerLabChoice } from './connectLab.ts';
import { connectState } from './connectWindow.ts';

export async function answerConnect(desktop: Desktop, request: ShellRequest): Promise<unknown> {
  switch (request.ask) {
    case 'state':
      return connectState(desktop);
    case 'recent-labs':
    case 'test-lab':
    case 'connect':
    case 'disconnect':
      return answerLabChoice(desktop, request);
    default:
      return answerAnywhere(desktop, request);
  }
}
