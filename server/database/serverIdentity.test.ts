import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeTempFolder, type TempFolder } from '../fixtures/tempFolder.ts';
import { silentLog } from '../logging/log.ts';
import { waitForStateFiles } from '../storage/stateFile.ts';
import { ServerIdentity } from './serverIdentity.ts';

let folder: TempFolder;
let path: string;
beforeEach(async () => {
  folder = await makeTempFolder();
  path = join(folder.path, 'state', 'server-8000.json');
});
afterEach(() => folder.remove());

async function load() {
  const lines: string[] = [];
  const { id } = await ServerIdentity.load(path, { ...silentLog, warn: (line) => void lines.push(line) });
  await waitForStateFiles();
  return { id, lines };
}

it('the ID of a server is the same after a restart, and only the owner of its file can read it', async () => {
  const first = await load();
  expect(await load()).toEqual({ id: first.id, lines: [] });
  expect(first.id).toMatch(/^[0-9a-f-]{36}$/);
  if (process.platform !== 'win32') expect((await stat(path)).mode & 0o777).toBe(0o600);
});

it('servers with state folders of their own have different IDs', async () => {
  const { id } = await load();
  path = join(folder.path, 'other', 'server-8000.json');
  expect((await load()).id).not.toBe(id);
});

it.each(['', '{"version":1,"id":"lab-pc:8000"}', '{"version":2}'])(
  'a server whose file is damaged (%s) gets a new ID, with a warning',
  async (text) => {
    const { id } = await load();
    await writeFile(path, text);
    const renewed = await load();
    expect(renewed.id).not.toBe(id);
    expect(renewed.lines).toEqual([expect.stringContaining(`can't be read from ${path}: it is damaged`)]);
    expect(await readFile(path, 'utf8')).toContain(renewed.id);
  },
);
