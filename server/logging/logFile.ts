/** The service's log: console and file by electron-log's Node build, one line an event: time, level, scope, text. */
import electronLog from 'electron-log/node';
import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from './log.ts';
import { scopedLog } from './scopedLog.ts';
import type { LabSettings } from '../settings/schema/labSettings.ts';
import type { LogLevel } from '../settings/schema/table.ts';

/** Rotated beyond this size in bytes. */
const maxFileBytes = 5 * 1024 * 1024;
/** `lab-manager.1.log`, the newest of them, to `lab-manager.4.log`. */
const olderFiles = 4;

export const logFileName = 'lab-manager.log';

type LevelOption = typeof electronLog.transports.console.level;

const levels: Readonly<Record<LogLevel, LevelOption>> = {
  DEBUG: 'debug',
  INFO: 'info',
  WARNING: 'warn',
  ERROR: 'error',
  CRITICAL: 'error',
};

export interface FileLog {
  readonly log: Log;
  /** Whole path of the log file. */
  readonly path: string;
  /** Takes over level and verbosity from the settings. */
  configure(settings: Pick<LabSettings, 'logLevel' | 'verbose'>): void;
}

/**
 * Opens the log in `directory`; it is made when it isn't there. A directory that can't be written to leaves the console.
 * @param consoleLevel what the console shows unless `LAB_VERBOSE` asks for more; `false` for nothing
 */
export function openLog(directory: string, consoleLevel: LevelOption = 'info'): FileLog {
  const logger = electronLog.create({ logId: 'lab-manager' });
  const path = join(directory, logFileName);
  // Without a name it looks for a package.json around the current directory, and writes nothing where there is none.
  logger.transports.file.setAppName('lab-manager');
  logger.transports.file.resolvePathFn = () => path;
  logger.transports.file.archiveLogFn = (file) => {
    try {
      rotate(path);
    } catch {
      // In a folder in which nothing may be renamed the file begins anew, rather than fill the disk.
      file.clear();
    }
  };
  logger.transports.file.maxSize = maxFileBytes;
  logger.transports.file.level = 'info';
  logger.transports.file.format = '{y}-{m}-{d} {h}:{i}:{s}.{ms} [{level}]{scope} {text}';
  logger.transports.console.level = consoleLevel;
  logger.transports.console.format = '{y}-{m}-{d} {h}:{i}:{s} [{level}]{scope} {text}';
  logger.scope.labelPadding = false;
  return {
    path,
    log: scopedLog(logger, 'service'),
    configure: ({ logLevel, verbose }) => {
      logger.transports.file.level = levels[logLevel];
      logger.transports.console.level = consoleLevel === false ? false : verbose ? 'debug' : levels[logLevel];
    },
  };
}

/** Moves each file one further, the oldest away. */
function rotate(path: string): void {
  const name = (age: number) => (age === 0 ? path : path.replace(/\.log$/, `.${age}.log`));
  for (let age = olderFiles; age > 0; age -= 1) if (existsSync(name(age - 1))) renameSync(name(age - 1), name(age));
}
