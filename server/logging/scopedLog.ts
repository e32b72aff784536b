/** Adapts electron-log to the `Log` of this project. */
import type { LogFunctions } from 'electron-log';
import type { Log } from './log.ts';
import { cleanText, redactAddresses } from './text.ts';

/** Maximum length of a message or details of one event, in characters, enough for a stack. */
const maxLength = 8000;

/** @param root an electron-log logger of any build */
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

/** One line per event, without terminal control sequences or secrets in addresses. */
function line(text: string): string {
  return cleanText(redactAddresses(text), maxLength);
}
