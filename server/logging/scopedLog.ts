/** electron-log behind the `Log` of this project. */
import type { LogFunctions } from 'electron-log';
import type { Log } from './log.ts';
import { cleanText, withoutSecretsInAddresses } from './text.ts';

/** Longest message or details of one event, in characters: a stack fits. */
const maxLength = 8000;

/** @param root an electron-log logger, of whichever build */
export function scopedLog(root: { scope(name: string): LogFunctions }, name: string): Log {
  const functions = root.scope(name);
  const write =
    (level: 'debug' | 'info' | 'warn' | 'error'): Log['info'] =>
    (message, details) =>
      details ? functions[level](line(message), line(JSON.stringify(details))) : functions[level](line(message));
  return {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    scope: (inner) => scopedLog(root, inner),
  };
}

/** One line an event, nothing in it that a terminal obeys, and no secret of an address, wherever its words came from. */
function line(text: string): string {
  return cleanText(withoutSecretsInAddresses(text), maxLength);
}
