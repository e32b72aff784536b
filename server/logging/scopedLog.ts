/** Adapts electron-log to the `Log` of this project. */
import type { Logger } from 'electron-log';
import type { Log } from './log.ts';
import { logText } from './text.ts';

/** @param root an electron-log logger of any build */
export function scopedLog(root: Pick<Logger, 'scope' | 'transports' | 'levels'>, name: string): Log {
  const functions = root.scope(name);
  // Before the text is built: most lines are those of requests, at a level that no transport writes.
  const isWritten = (level: 'debug' | 'info' | 'warn' | 'error'): boolean =>
    Object.values(root.transports).some((transport) => {
      // Some builds leave transports out.
      const written = transport?.level ?? false;
      return written !== false && root.levels.indexOf(level) <= root.levels.indexOf(written);
    });
  const write =
    (level: 'debug' | 'info' | 'warn' | 'error'): Log['info'] =>
    (message, details) => {
      if (!isWritten(level)) return;
      if (details) functions[level](logText(message), logText(JSON.stringify(details)));
      else functions[level](logText(message));
    };
  return {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    scope: (inner) => scopedLog(root, inner),
  };
}
