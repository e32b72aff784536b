import { appendFile, mkdir, open, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { testBudget } from '../../api/fixtures/testBudget.ts';
import { makeTempFolder, type TempFolder } from '../fixtures/tempFolder.ts';
import { silentLog, type Log } from '../logging/log.ts';
import { HistoryFile } from './historyFile.ts';
import { parseRecord, serializeRecord, type HistoryRecord } from './record.ts';
import { limitToNewest, dropOldRecords, mergeWatchedRecords } from './retention.ts';

const now = Date.UTC(2026, 5, 1);
const stamp = (ms: number): string => new Date(ms).toISOString();
const record = (ms: number, reason: string | null = null): HistoryRecord => ({
  kind: 'state',
  at: stamp(ms),
  manager: 'event',
  state: 'unhealthy',
  reason,
});

let folder: TempFolder;
let path: string;
let output: string[];
const log: Log = { ...silentLog, warn: (line) => void output.push(line), error: (line) => void output.push(line) };
beforeEach(async () => {
  folder = await makeTempFolder();
  path = join(folder.path, 'state', 'history-8000.jsonl');
  output = [];
});
afterEach(() => folder.remove());

const openHistory = (limit?: number) => HistoryFile.open(path, log, { now, ...(limit === undefined ? {} : { limit }) });
async function fillHistory(count: number): Promise<readonly HistoryRecord[]> {
  const { file } = await openHistory();
  const records = Array.from({ length: count }, (_, index) => record(now - 60_000 * (count - index)));
  for (const entry of records) expect(await file.append(entry)).toBe(true);
  await file.close();
  return records;
}

describe('the history file', () => {
  it('is read as it was written and is private', async () => {
    const records = await fillHistory(5);
    expect((await openHistory()).records).toEqual(records);
    if (process.platform !== 'win32') expect((await stat(path)).mode & 0o077).toBe(0);
    expect(output).toEqual([]);
  });

  it('is synchronized to the disk before an append resolves', async () => {
    const { file } = await openHistory();
    const handle = await open(join(folder.path, 'probe'), 'w');
    const sync = vi.spyOn(Object.getPrototypeOf(handle) as typeof handle, 'sync');
    await handle.close();
    await file.append(record(now));
    expect(sync).toHaveBeenCalledOnce();
    await file.close();
  });

  it('loses only an incomplete last line, wherever it was cut', async () => {
    const records = await fillHistory(3);
    const line = serializeRecord(record(now));
    for (const end of [1, 10, line.length - 2]) {
      await appendFile(path, line.slice(0, end));
      const { file, records: storedRecords } = await openHistory();
      expect(storedRecords).toEqual(records);
      await file.append(record(now));
      await file.close();
      const again = await openHistory();
      expect(again.records).toHaveLength(records.length + 1);
      await again.file.close();
      await writeFile(path, records.map(serializeRecord).join(''));
    }
    expect(output).toEqual([]);
  });

  it('is set aside with one message when it is damaged, and its readable records are kept', async () => {
    const records = await fillHistory(3);
    await appendFile(path, `garbage\n${serializeRecord(record(now))}`);
    const { records: storedRecords } = await openHistory();
    expect(storedRecords).toEqual([...records, record(now)]);
    const quarantined = (await readdir(join(folder.path, 'state'))).filter((name) => name.includes('damaged'));
    expect(quarantined).toHaveLength(1);
    expect(await readFile(join(folder.path, 'state', quarantined[0] ?? ''), 'utf8')).toContain('garbage');
    expect(output.join()).toContain('1 line of the history can');
    // The message is logged only once.
    await openHistory();
    expect(output).toHaveLength(1);
  });

  it('is readable with any bytes, and valid afterwards', async () => {
    await mkdir(join(folder.path, 'state'), { recursive: true });
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.nat(60), async (bytes, cut) => {
        await writeFile(
          path,
          Buffer.concat([Buffer.from(serializeRecord(record(now - 1))).subarray(0, cut + 40), bytes]),
        );
        const first = await openHistory();
        await first.file.append(record(now));
        await first.file.close();
        const second = await openHistory();
        await second.file.close();
        expect(second.records).toEqual([...first.records, record(now)]);
      }),
      { numRuns: testBudget(20, 60) },
    );
  });

  it('stays within its limit and keeps the newest records', async () => {
    const limit = 4000;
    const { file } = await openHistory(limit);
    const reason = 'x'.repeat(200);
    for (let index = 0; index < 100; index += 1) await file.append(record(now + index, `${reason}${index}`));
    await file.close();
    expect((await stat(path)).size).toBeLessThanOrEqual(limit);
    const lines = (await readFile(path, 'utf8')).trim().split('\n').map(parseRecord);
    expect(lines.at(-1)).toEqual(record(now + 99, `${reason}99`));
    expect(lines.length).toBeGreaterThan(3);
  });

  it('a file that is too large to be read whole is rewritten with the records that were read', async () => {
    await mkdir(join(folder.path, 'state'));
    const records = [record(now - 120_000), record(now - 60_000)];
    const text = records.map(serializeRecord).join('');
    await writeFile(path, `${'x'.repeat(41 * 1024 * 1024)}\n${text}`);
    const { file, records: retained } = await openHistory();
    await file.close();
    expect(retained).toEqual(records);
    expect(await readFile(path, 'utf8')).toBe(text);
  });

  it('has one message while it is not writable, and contains every record when it is writable again', async () => {
    const { file } = await openHistory();
    await file.append(record(now));
    await file.close();
    const state = join(folder.path, 'state');
    // A folder replaces the file, because root may write anywhere else.
    const { file: second } = await openHistory();
    await writeFile(join(state, 'kept'), await readFile(path));
    await rm(path);
    await mkdir(path);
    expect(await second.append(record(now + 1))).toBe(false);
    expect(await second.append(record(now + 2))).toBe(false);
    expect(second.isFailing).toBe(true);
    expect(output).toHaveLength(1);
    expect(output[0]).toContain(path);
    await rm(path, { recursive: true });
    await rename(join(state, 'kept'), path);
    expect(await second.append(record(now + 3))).toBe(true);
    await second.close();
    expect((await openHistory()).records).toEqual([0, 1, 2, 3].map((index) => record(now + index)));
  });

  it('contains a record that is appended while 10,000 others wait', async () => {
    const { file } = await openHistory();
    for (let index = 0; index < 10_000; index += 1) void file.append(record(now + index));
    await vi.waitFor(async () => expect((await stat(path)).size).toBeGreaterThan(0), { interval: 0 });
    expect(await file.append(record(now + 10_000))).toBe(true);
    await file.close();
    expect((await openHistory()).records.at(-1)).toEqual(record(now + 10_000));
  });

  it('cannot be opened in an unusable folder, which the error names', async () => {
    await writeFile(join(folder.path, 'state'), 'a file');
    await expect(openHistory()).rejects.toThrow('state');
  });
});

describe('the retention of the history', () => {
  const day = 86_400_000;
  it('keeps 90 days and the state at their beginning', () => {
    const records = [record(now - 120 * day, 'first'), record(now - 95 * day, 'held'), record(now - 70 * day, 'new')];
    expect(dropOldRecords(records, now)).toEqual([records[1], records[2]]);
  });

  it('keeps everything when the clock is years ahead', async () => {
    const records = await fillHistory(100);
    const year2099 = Date.UTC(2099, 0, 1);
    const { file, records: storedRecords } = await HistoryFile.open(path, log, { now: year2099 });
    expect(storedRecords).toEqual(records);
    await file.append(record(year2099));
    await file.close();
    const again = await HistoryFile.open(path, log, { now: year2099 + 1000 });
    await again.file.close();
    expect(again.records.slice(0, 100)).toEqual(records);
    const { records: reopenedRecords } = await openHistory();
    expect(reopenedRecords.slice(0, 100)).toEqual(records);
  });

  it('keeps a copy of the file before it is cut to half', async () => {
    const records = await fillHistory(100);
    const { file } = await openHistory(4000);
    await file.close();
    const old = (await readFile(`${path}.old`, 'utf8')).trim().split('\n').map(parseRecord);
    expect(old).toEqual(records);
  });

  it('keeps the records of managers when a workcell always has new nodes', () => {
    const records = Array.from({ length: 10_000 }, (_, index): HistoryRecord => {
      const at = stamp(now + index);
      return index % 100 === 0
        ? record(now + index, `outage ${index}`)
        : { kind: 'node', at, name: `node ${index}`, state: 'ready', reason: null };
    });
    const retained = limitToNewest(records, 40_000);
    expect(retained.filter(({ kind }) => kind === 'state')).toHaveLength(100);
    expect(retained.filter(({ kind }) => kind === 'node').length).toBeGreaterThan(200);
    expect(retained.map(({ at }) => at)).toEqual(retained.map(({ at }) => at).toSorted());
    expect(retained.length).toBeLessThan(2000);
  });

  it('merges uninterrupted watching into one record', () => {
    const watched = (since: number, at: number): HistoryRecord => ({
      kind: 'watched',
      since: stamp(now + since),
      at: stamp(now + at),
    });
    expect(mergeWatchedRecords([watched(0, 1), watched(1, 2), watched(2, 3), watched(5, 6), record(now)])).toEqual([
      watched(0, 3),
      watched(5, 6),
      record(now),
    ]);
  });
});
