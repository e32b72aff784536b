/** Tests the reader of the Logs window with real files: rotated, truncated, huge, binary. */
import { appendFile, rename, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeTempFolder, type TempFolder } from '../../server/fixtures/tempFolder.ts';
import type { LogBatch, LogFilter } from '../ipc/logs.ts';
import { LogSession } from './logSession.ts';
import { LogTail } from './logTail.ts';

let folder: TempFolder;
let session: LogSession;
beforeEach(async () => {
  folder = await makeTempFolder();
  session = new LogSession(folder.path);
});
afterEach(() => folder.remove());

const all: LogFilter = { level: 'debug', source: null, text: '' };
/** Returns a line in the format of our log; the lines of successive numbers are one second apart. */
const line = (number: number, text = `line ${number}`, level = 'info') => {
  const time = new Date(Date.UTC(2026, 0, 1) + number * 1000).toISOString().replace('T', ' ').replace('Z', '');
  return `${time} [${level}] (service) ${text}\n`;
};
const lines = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => line(from + index)).join('');
const file = (name: string) => join(folder.path, name);
const listTexts = ({ entries }: LogBatch) => entries.map(({ text }) => text);

/** Loads all lines, in batches as the Logs window does. */
async function loadAll(filter = all): Promise<{ texts: string[]; responseCount: number }> {
  let batch = await session.start(filter);
  let loaded = listTexts(batch);
  let responseCount = 1;
  while (!batch.isStart) {
    batch = await session.older();
    loaded = [...listTexts(batch), ...loaded];
    responseCount += 1;
  }
  return { texts: loaded, responseCount };
}

describe('the existing lines of a log', () => {
  it('are an empty list without log files', async () => {
    expect(await session.start(all)).toEqual({ entries: [], isStart: true, skippedBytes: 0, failure: null });
    expect(await session.newer()).toEqual({ entries: [], isStart: false, skippedBytes: 0, failure: null });
  });

  it('are merged from both logs and their rotated files by time, and the newest are loaded first', async () => {
    await writeFile(file('lab-manager.1.log'), lines(0, 2000));
    await writeFile(file('lab-manager.log'), lines(2000, 4000));
    await writeFile(file('desktop.log'), line(3500, 'of the app').replace('.000 ', '.500 '));
    const first = await session.start(all);
    expect(first.isStart).toBe(false);
    expect(listTexts(first).at(-1)).toBe('line 3999');
    const { texts } = await loadAll();
    expect(texts).toHaveLength(4001);
    expect(texts.slice(3500, 3503)).toEqual(['line 3500', 'of the app', 'line 3501']);
    expect(texts[0]).toBe('line 0');
  });

  it('are filtered in several short responses when matches are rare', async () => {
    const filling = line(5, 'x'.repeat(7900));
    await writeFile(file('lab-manager.2.log'), line(1, 'needle', 'error') + filling.repeat(600));
    await writeFile(file('lab-manager.1.log'), filling.repeat(600));
    await writeFile(file('lab-manager.log'), filling.repeat(600));
    const { texts, responseCount } = await loadAll({ ...all, text: 'NEEDLE', level: 'warn' });
    expect(texts).toEqual(['needle']);
    expect(responseCount).toBeGreaterThan(4);
  });

  it('are truncated when they are too long or binary, and links are not followed', async () => {
    const junk = Buffer.alloc(300_000, 0xff);
    const parts = [line(1), `${'y'.repeat(200_000)}\n`, junk, `\n${line(2)}`].map((part) => Buffer.from(part));
    await writeFile(file('lab-manager.log'), Buffer.concat(parts));
    await writeFile(file('secret'), line(3, 'not ours'));
    await symlink(file('secret'), file('desktop.log'));
    const { texts } = await loadAll();
    expect([texts[0], texts.at(-1)]).toEqual(['line 1', 'line 2']);
    expect(texts).not.toContain('not ours');
    expect(Math.max(...texts.map(({ length }) => length))).toBeLessThan(16_300);
  });
});

it('a session reads the other log when one can’t be read, and reports the reason', async () => {
  await writeFile(file('lab-manager.log'), lines(0, 3));
  await writeFile(file('desktop.log'), line(1, 'of the app'));
  const denied = new Error('EACCES: permission denied');
  const start = vi.spyOn(LogTail.prototype, 'start').mockRejectedValueOnce(denied);
  const withFailure = await session.start(all);
  expect([listTexts(withFailure), withFailure.isStart, withFailure.failure]).toEqual([
    ['of the app'],
    true,
    'The log of the service can’t be read: EACCES: permission denied.',
  ]);
  start.mockRestore();
  const both = await session.start(all);
  expect([listTexts(both), both.failure]).toEqual([['line 0', 'of the app', 'line 1', 'line 2'], null]);
  const newer = vi.spyOn(LogTail.prototype, 'newer').mockRejectedValueOnce(denied);
  await appendFile(file('desktop.log'), line(5, 'of the app'));
  expect(await session.newer()).toMatchObject({ entries: [{ text: 'of the app' }], failure: withFailure.failure });
  newer.mockRestore();
});

describe('the new lines of a log', () => {
  beforeEach(async () => {
    await writeFile(file('lab-manager.log'), lines(0, 3));
    await session.start(all);
  });

  it('are returned once, as soon as the whole line is written', async () => {
    const [half, rest] = [line(4).slice(0, 30), line(4).slice(30)];
    await appendFile(file('lab-manager.log'), line(3) + half);
    expect(listTexts(await session.newer())).toEqual(['line 3']);
    await appendFile(file('lab-manager.log'), rest);
    expect(listTexts(await session.newer())).toEqual(['line 4']);
    expect(listTexts(await session.newer())).toEqual([]);
  });

  it('include a line that was incomplete at the start once it is complete', async () => {
    await appendFile(file('lab-manager.log'), line(3).slice(0, 30));
    expect(listTexts(await session.start(all))).toEqual(['line 0', 'line 1', 'line 2']);
    await appendFile(file('lab-manager.log'), line(3).slice(30));
    expect(listTexts(await session.newer())).toEqual(['line 3']);
  });

  it('are complete across a rotation', async () => {
    await appendFile(file('lab-manager.log'), line(3));
    await rename(file('lab-manager.log'), file('lab-manager.1.log'));
    await writeFile(file('lab-manager.log'), line(4));
    expect(await session.newer()).toMatchObject({ skippedBytes: 0 });
    await appendFile(file('lab-manager.log'), line(5));
    expect(listTexts(await session.newer())).toEqual(['line 5']);
    expect((await loadAll()).texts).toEqual([0, 1, 2, 3, 4, 5].map((number) => `line ${number}`));
  });

  // Under Wine the creation time of a file changes with each write.
  it.skipIf(process.platform === 'win32')('are in order across a rotation', async () => {
    await appendFile(file('lab-manager.log'), line(3));
    await rename(file('lab-manager.log'), file('lab-manager.1.log'));
    await writeFile(file('lab-manager.log'), line(4));
    expect(listTexts(await session.newer())).toEqual(['line 3', 'line 4']);
  });

  it('are the file’s current content after it was truncated or deleted', async () => {
    await truncate(file('lab-manager.log'));
    await appendFile(file('lab-manager.log'), line(7));
    expect(listTexts(await session.newer())).toEqual(['line 7']);
    await rm(file('lab-manager.log'));
    expect(listTexts(await session.newer())).toEqual([]);
    await writeFile(file('lab-manager.log'), line(8));
    expect(listTexts(await session.newer())).toEqual(['line 8']);
  });

  it.skipIf(process.platform === 'win32')(
    'are the whole file after another file received the old file’s inode',
    async () => {
      const live = file('lab-manager.log');
      const old = await stat(live, { bigint: true });
      // Waits until the file system's clock has advanced.
      await expect
        .poll(async () => {
          await rm(file('probe'), { force: true });
          await writeFile(file('probe'), '');
          return (await stat(file('probe'), { bigint: true })).birthtimeNs > old.birthtimeNs;
        })
        .toBe(true);
      await appendFile(live, line(3));
      await session.newer();
      await rm(file('probe'));
      await rm(live);
      await writeFile(live, lines(10, 20));
      expect(listTexts(await session.newer())).toEqual(Array.from({ length: 10 }, (_, index) => `line ${index + 10}`));
    },
  );

  it('are limited to the newest ones when too many are written, with the number of omitted bytes', async () => {
    const flood = line(4, 'f'.repeat(7900)).repeat(200);
    await appendFile(file('lab-manager.log'), flood + line(5));
    const batch = await session.newer();
    expect(listTexts(batch).at(-1)).toBe('line 5');
    expect(batch.skippedBytes).toBeGreaterThan(1_000_000);
    const sentChars = batch.entries.reduce((sum, { text }) => sum + text.length, 0);
    expect(sentChars).toBeLessThan(530_000);
  });

  it('are filtered', async () => {
    await session.start({ ...all, level: 'error' });
    await appendFile(file('lab-manager.log'), line(3) + line(4, 'bad', 'error'));
    expect(listTexts(await session.newer())).toEqual(['bad']);
  });

  it('are not mixed with older lines that are read at the same time', async () => {
    await appendFile(file('lab-manager.log'), line(3));
    const [older, newer] = await Promise.all([session.older(), session.newer()]);
    expect([listTexts(older), listTexts(newer)]).toEqual([[], ['line 3']]);
  });
});
