/** The service's log: console and file by electron-log's Node build, one line an event: time, level, scope, text. */
import electronLog from 'electron-log/node';
import { join } from 'node:path';
import type { Log, LogLevel } from './log.ts';
import { maxLogFileBytes, rotateLog } from './rotation.ts';
import { scopedLog } from './scopedLog.ts';

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
  configure(settings: { readonly logLevel: LogLevel; readonly verbose: boolean }): void;
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
  logger.transports.file.archiveLogFn = rotateLog;
  logger.transports.file.maxSize = maxLogFileBytes;
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
