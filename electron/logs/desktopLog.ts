/** The shell's log, in the same folder as the service's. */
import electronLog from 'electron-log/main';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../../server/logging/log.ts';
import { desktopLogName, maxLogFileBytes, rotateLog } from '../../server/logging/rotation.ts';
import { scopedLog } from '../../server/logging/scopedLog.ts';
import { ignoreClosedStreams } from '../../server/logging/standardStreams.ts';

/** Opens `desktop.log` in `logDir`. Its lines are also printed to the console. */
export function openDesktopLog(logDir: string): Log {
  electronLog.transports.file.resolvePathFn = () => join(logDir, desktopLogName);
  electronLog.transports.file.archiveLogFn = rotateLog;
  electronLog.transports.file.maxSize = maxLogFileBytes;
  electronLog.transports.file.level = 'info';
  electronLog.transports.file.format = '{y}-{m}-{d} {h}:{i}:{s}.{ms} [{level}]{scope} {text}';
  electronLog.transports.console.level = 'info';
  electronLog.transports.ipc.level = false;
  electronLog.scope.labelPadding = false;
  const log = scopedLog(electronLog, 'desktop');
  ignoreClosedStreams((text) => log.warn(text));
  return log;
}

const tailBytes = 16 * 1024;

/** Returns the last `count` lines of a log file, read from its last 16 KB; empty if the file can't be opened. */
export function lastLines(file: string, count: number): string[] {
  let handle: number;
  try {
    handle = openSync(file, 'r');
  } catch {
    return [];
  }
  try {
    const { size } = fstatSync(handle);
    const buffer = Buffer.alloc(Math.min(size, tailBytes));
    readSync(handle, buffer, 0, buffer.length, size - buffer.length);
    return buffer.toString('utf8').trimEnd().split('\n').slice(-count);
  } finally {
    closeSync(handle);
  }
}
