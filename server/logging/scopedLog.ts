/** Adapts electron-log to the `Log` of this project. */
import type { LogFunctions } from 'electron-log';
import type { Log } from './log.ts';
import { logText } from './text.ts';

/** @param root an electron-log logger of any build */
export function scopedLog(root: { scope(name: string): LogFunctions }, name: string): Log {
  const functions = root.scope(name);
  const write =
    (level: 'debug' | 'info' | 'warn' | 'error'): Log['info'] =>
    (message, details) =>
      details
        ? functions[level](logText(message), logText(JSON.stringify(details)))
        : functions[level](logText(message));
  return {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    scope: (inner) => scopedLog(root, inner),
  };
}
