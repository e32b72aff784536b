import { execFileSync } from 'node:child_process';
import { lstatSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { silentLog } from '../../server/logging/log.ts';
import { fromStoppedNode } from '../../api/safetyStop/stopReport.ts';
import { stateFilesSettled } from '../../server/storage/stateFile.ts';
import { KnownNodesFile } from './knownNodes.ts';
import { stopView } from './stopView.ts';

const nodes = { workcell: 'http://lab:8005/', nodes: [{ name: 'arm', url: 'http://lab:2000/', commands: ['lock'] }] };
let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'nodes-'));
  path = join(folder, 'nodes.json');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Loads the nodes as at a start, after the last list is written. */
async function opened(): Promise<KnownNodesFile> {
  await stateFilesSettled();
  const known = new KnownNodesFile(path, silentLog);
  await known.load();
  return known;
}

it('known nodes are restored at the next start', async () => {
  (await opened()).set(nodes);
  expect((await opened()).nodes).toEqual(nodes);
});

it('known nodes are null without a file and with a damaged one', async () => {
  expect((await opened()).nodes).toBeNull();
  for (const text of ['', '[]', '{"workcell": 7}', '{"workcell": "x", "nodes": [{}]}']) {
    writeFileSync(path, text);
    expect((await opened()).nodes).toBeNull();
  }
});

it('known nodes are dropped only when the settings name another workcell manager', async () => {
  const known = await opened();
  known.set(nodes);
  known.useWorkcell(nodes.workcell);
  expect(known.nodes).toEqual(nodes);
  known.useWorkcell('http://other:8005/');
  expect(known.nodes).toBeNull();
});

it('known nodes are dropped when another lab is shown, even at the same workcell address', async () => {
  const known = await opened();
  known.set(nodes);
  known.useLab('http://127.0.0.1:9000/');
  expect(known.nodes).toBeNull();
  known.set(nodes);
  const again = await opened();
  again.useLab('http://127.0.0.1:9000/');
  expect(again.nodes).toMatchObject(nodes);
  again.useLab(null);
  expect(again.nodes).toBeNull();
});

it('known nodes stay in memory when the disk is not writable', async () => {
  const known = new KnownNodesFile(join(path, 'below-a-file', 'nodes.json'), silentLog);
  writeFileSync(path, '');
  known.set(nodes);
  await stateFilesSettled();
  expect(known.nodes).toEqual(nodes);
  expect(readFileSync(path, 'utf8')).toBe('');
});

it('known nodes of the demo lab are not stored, and the lab’s own are restored after it', async () => {
  const known = await opened();
  known.set(nodes);
  known.useDemo();
  expect(known.nodes).toBeNull();
  const simulated = { ...nodes, workcell: 'http://127.0.0.1:9999/' };
  known.set(simulated);
  expect(known.nodes).toEqual(simulated);
  expect((await opened()).nodes).toEqual(nodes);
  known.useLab(null);
  expect(known.nodes).toEqual(nodes);
});

it.skipIf(process.platform === 'win32')('known nodes are the listed ones when the file is a FIFO', async () => {
  execFileSync('mkfifo', [path]);
  const known = new KnownNodesFile(path, silentLog);
  expect(await known.load()).toBe('it is not a file');
  known.set(nodes);
  await stateFilesSettled();
  expect(known.nodes).toEqual(nodes);
  expect(lstatSync(path).isFIFO()).toBe(true);
});

it('known nodes of another lab are ignored when storage returns them late', async () => {
  (await opened()).set(nodes);
  const known = new KnownNodesFile(path, silentLog);
  const loaded = known.load();
  known.useLab('http://127.0.0.1:9000/');
  await loaded;
  expect(known.nodes).toBeNull();
});

it('flags in the report of a stop are only those read after the stop, never stored ones', async () => {
  const known = await opened();
  const [node] = nodes.nodes;
  known.set({ ...nodes, nodes: [{ ...node!, now: { state: 'locked', flags: ['busy'] } }] });
  const now = Date.now();
  const report = {
    id: null,
    lab: 'Bench',
    sentAt: now - 6000,
    rows: [
      fromStoppedNode({ name: 'arm', workcell: '', result: 'refused', reason: 'door open', did: [], before: [] }, ''),
    ],
    isSending: false,
    isReadingNodes: false,
    releasableCount: 0,
  };
  const shown = (sentAt: number, at = now) =>
    stopView('Bench', 1, { ...report, sentAt }, at, (sent, name) => known.stateAfter(sent, name, at)).report?.rows[0]
      ?.state;
  expect(shown(now - 6000)).toBe('Locked, busy');
  // Read before the stop could take effect, or too long ago.
  expect(shown(now - 1000)).toBeNull();
  expect(shown(now - 6000, now + 30_000)).toBeNull();
  const again = await opened();
  expect(readFileSync(path, 'utf8')).not.toContain('busy');
  expect(again.stateAfter(now - 6000, 'arm', now)).toBeNull();
});
