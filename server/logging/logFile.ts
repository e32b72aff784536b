/** The service's log: console and file by electron-log's Node build, one line per event: time, level, scope, text. */
import electronLog from 'electron-log/node';
import { EventEmitter } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorText } from '../../api/errorText.ts';
import type { Log, LogLevel } from './log.ts';
import { maxLogFileBytes, rotateLog } from './rotation.ts';
import { scopedLog } from './scopedLog.ts';
import { ignoreClosedStreams } from './standardStreams.ts';

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
  /** Full path of the log file. */
  readonly path: string;
  /** The reason why the file can't be written and only the console is used; `null` if it can. */
  readonly error: unknown;
  /** Applies level and verbosity of the settings. */
  configure(settings: { readonly logLevel: LogLevel; readonly verbose: boolean }): void;
}

/**
 * Opens the log in `directory`, which is created if it is missing. If it is not writable, only the console is used.
 * @param consoleLevel level of the console until `configure` applies that of the settings; `false` disables it
 */
export function openLog(directory: string, consoleLevel: LevelOption = 'info'): FileLog {
  const logger = electronLog.create({ logId: 'lab-manager' });
  const path = join(directory, logFileName);
  // Without a name, electron-log searches for a package.json, and writes nothing if there is none.
  logger.transports.file.setAppName('lab-manager');
  logger.transports.file.resolvePathFn = () => path;
  logger.transports.file.archiveLogFn = rotateLog;
  logger.transports.file.maxSize = maxLogFileBytes;
  logger.transports.file.level = 'info';
  logger.transports.file.format = '{y}-{m}-{d} {h}:{i}:{s}.{ms} [{level}]{scope} {text}';
  logger.transports.console.level = consoleLevel;
  logger.transports.console.format = '{y}-{m}-{d} {h}:{i}:{s} [{level}]{scope} {text}';
  logger.scope.labelPadding = false;
  const error = writeError(directory, path);
  const log = scopedLog(logger, 'service');
  ignoreClosedStreams((text) => log.warn(text));
  if (error === null) reportOnce(logger.transports.file, log);
  else logger.transports.file.level = false;
  return {
    path,
    error,
    log,
    configure: ({ logLevel, verbose }) => {
      if (error === null) logger.transports.file.level = levels[logLevel];
      logger.transports.console.level = consoleLevel === false ? false : verbose ? 'debug' : levels[logLevel];
    },
  };
}

/** Creates the folder and the file. @returns why it is not possible, `null` if it is */
function writeError(directory: string, path: string): unknown {
  try {
    mkdirSync(directory, { recursive: true });
    writeFileSync(path, '', { flag: 'a' });
    return null;
  } catch (error) {
    return error;
  }
}

/** electron-log prints each failed write with its stack; the reason is the same until the disk has space again. */
function reportOnce(transport: { getFile: () => unknown }, log: Log): void {
  const file = transport.getFile();
  if (!(file instanceof EventEmitter)) return;
  let reported = '';
  file.removeAllListeners('error');
  file.on('error', (error: unknown) => {
    const text = errorText(error);
    if (text === reported) return;
    reported = text;
    log.warn(text);
  });
}
