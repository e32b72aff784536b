/** A line of one of our logs, taken apart. Pure. */
import { cleanText } from '../../server/logging/text.ts';
import { logLevels, type LogEntry } from '../ipc/logs.ts';

/** Longest line that is shown, in characters; our own have at most 16,000. */
const longestLine = 16_200;

/** `2026-11-22 14:02:11.123 [info] (watch) text`, as electron-log's `format` has it. */
const line = /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}) \[(\w+)\] *(?:\(([^)]*)\) )?(.*)$/s;

/** Of anything: binary junk loses what can't be shown, and what is no line of ours is all text. */
export function parseLogLine(raw: string, source: LogEntry['source']): Omit<LogEntry, 'id'> {
  const [, time = '', word = '', scope = '', text = ''] = line.exec(raw.slice(0, longestLine)) ?? [];
  const level = logLevels.find((each) => each === word) ?? null;
  if (time === '' || level === null)
    return { source, time: '', level: null, scope: '', text: cleanText(raw, longestLine) };
  return { source, time, level, scope: cleanText(scope, 60), text: cleanText(text, longestLine) };
}
