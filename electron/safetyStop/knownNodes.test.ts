import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { silentLog } from '../../server/logging/log.ts';
import { waitForStateFiles } from '../../server/storage/stateFile.ts';
import { KnownNodesFile } from './knownNodes.ts';

const nodes = { workcell: 'http://lab:8005/', nodes: [{ name: 'arm', url: 'http://lab:2000/', commands: ['lock'] }] };
let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'nodes-'));
  path = join(folder, 'nodes.json');
});
afterEach(async () => {
  await waitForStateFiles();
  rmSync(folder, { recursive: true, force: true });
});

/** Loads the nodes as at a start, after the last list is written. */
async function loadNodes(): Promise<KnownNodesFile> {
  await waitForStateFiles();
  const nodesFile = new KnownNodesFile(path, silentLog);
  await nodesFile.load();
  return nodesFile;
}

it('known nodes are restored at the next start', async () => {
  (await loadNodes()).set(nodes);
  expect((await loadNodes()).nodes).toEqual(nodes);
});

it('known nodes are null without a file and with a damaged one', async () => {
  expect((await loadNodes()).nodes).toBeNull();
  for (const text of ['', '[]', '{"workcell": 7}', '{"workcell": "x", "nodes": [{}]}']) {
    writeFileSync(path, text);
    expect((await loadNodes()).nodes).toBeNull();
  }
});

it('known nodes are dropped when the settings name another workcell manager, but not the same one', async () => {
  const nodesFile = await loadNodes();
  nodesFile.set(nodes);
  nodesFile.useWorkcell(nodes.workcell);
  expect(nodesFile.nodes).toEqual(nodes);
  nodesFile.useWorkcell('http://other:8005/');
  expect(nodesFile.nodes).toBeNull();
});

it('known nodes are dropped when another lab is shown, even if its workcell manager has the same address', async () => {
  const nodesFile = await loadNodes();
  nodesFile.set(nodes);
  nodesFile.useLab('http://127.0.0.1:9000/');
  expect(nodesFile.nodes).toBeNull();
  nodesFile.set(nodes);
  const reloaded = await loadNodes();
  reloaded.useLab('http://127.0.0.1:9000/');
  expect(reloaded.nodes).toMatchObject(nodes);
  reloaded.useLab(null);
  expect(reloaded.nodes).toBeNull();
});

it('known nodes stay in memory when the disk is not writable', async () => {
  const nodesFile = new KnownNodesFile(join(path, 'below-a-file', 'nodes.json'), silentLog);
  writeFileSync(path, '');
  nodesFile.set(nodes);
  await waitForStateFiles();
  expect(nodesFile.nodes).toEqual(nodes);
  expect(readFileSync(path, 'utf8')).toBe('');
});

it('known nodes of the demo lab are not stored, and the lab’s own are restored after it', async () => {
  const nodesFile = await loadNodes();
  nodesFile.set(nodes);
  nodesFile.useDemoLab();
  expect(nodesFile.nodes).toBeNull();
  const demoNodes = { ...nodes, workcell: 'http://127.0.0.1:9999/' };
  nodesFile.set(demoNodes);
  expect(nodesFile.nodes).toEqual(demoNodes);
  expect((await loadNodes()).nodes).toEqual(nodes);
  nodesFile.useLab(null);
  expect(nodesFile.nodes).toEqual(nodes);
});

it('known nodes of another lab are ignored when the file is loaded late', async () => {
  (await loadNodes()).set(nodes);
  const nodesFile = new KnownNodesFile(path, silentLog);
  const loaded = nodesFile.load();
  nodesFile.useLab('http://127.0.0.1:9000/');
  await loaded;
  expect(nodesFile.nodes).toBeNull();
});
