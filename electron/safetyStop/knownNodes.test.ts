import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { silentLog } from '../../server/logging/log.ts';
import { rowOf } from '../../api/stopReport.ts';
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

it('are there at the next start', () => {
  new KnownNodesFile(path, silentLog).set(nodes);
  expect(new KnownNodesFile(path, silentLog).nodes).toEqual(nodes);
});

it('are none where there is no file, or a broken one', () => {
  expect(new KnownNodesFile(path, silentLog).nodes).toBeNull();
  for (const text of ['', '[]', '{"workcell": 7}', '{"workcell": "x", "nodes": [{}]}']) {
    writeFileSync(path, text);
    expect(new KnownNodesFile(path, silentLog).nodes).toBeNull();
  }
});

it('are forgotten when the settings name another workcell manager, and not before', () => {
  const known = new KnownNodesFile(path, silentLog);
  known.set(nodes);
  known.useWorkcell(nodes.workcell);
  expect(known.nodes).toEqual(nodes);
  known.useWorkcell('http://other:8005/');
  expect(known.nodes).toBeNull();
});

it('are forgotten when another lab is shown, although its workcell manager has the same address', () => {
  const known = new KnownNodesFile(path, silentLog);
  known.set(nodes);
  known.useLab('http://127.0.0.1:9000/');
  expect(known.nodes).toBeNull();
  known.set(nodes);
  const again = new KnownNodesFile(path, silentLog);
  again.useLab('http://127.0.0.1:9000/');
  expect(again.nodes).toMatchObject(nodes);
  again.useLab(null);
  expect(again.nodes).toBeNull();
});

it('are kept in memory where the disk takes nothing', () => {
  const known = new KnownNodesFile(join(path, 'below-a-file', 'nodes.json'), silentLog);
  writeFileSync(path, '');
  known.set(nodes);
  expect(known.nodes).toEqual(nodes);
  expect(readFileSync(path, 'utf8')).toBe('');
});

it('are those of the demo lab while it is shown, which are not kept, and the lab’s own after it', () => {
  const known = new KnownNodesFile(path, silentLog);
  known.set(nodes);
  known.useDemo();
  expect(known.nodes).toBeNull();
  const simulated = { ...nodes, workcell: 'http://127.0.0.1:9999/' };
  known.set(simulated);
  expect(known.nodes).toEqual(simulated);
  expect(new KnownNodesFile(path, silentLog).nodes).toEqual(nodes);
  known.useLab(null);
  expect(known.nodes).toEqual(nodes);
});

it('are shown in the report of a stop as they are now with their flags, once they were read after it, and never from the file', () => {
  const known = new KnownNodesFile(path, silentLog);
  const [node] = nodes.nodes;
  known.set({ ...nodes, nodes: [{ ...node!, now: { state: 'locked', flags: ['busy'] } }] });
  const now = Date.now();
  const report = {
    lab: 'Bench',
    sentAt: now - 6000,
    rows: [rowOf({ name: 'arm', workcell: '', result: 'refused', reason: 'door open', did: [], before: [] }, '')],
    isSending: false,
    isLooking: false,
    left: 0,
  };
  const shown = (sentAt: number, at = now) =>
    stopView('Bench', 1, { ...report, sentAt }, at, (sent, name) => known.stateAfter(sent, name, at)).report?.rows[0]
      ?.state;
  expect(shown(now - 6000)).toBe('Locked, busy');
  // Read before the stop could show, or long ago.
  expect(shown(now - 1000)).toBeNull();
  expect(shown(now - 6000, now + 30_000)).toBeNull();
  expect(readFileSync(path, 'utf8')).not.toContain('busy');
  expect(new KnownNodesFile(path, silentLog).stateAfter(now - 6000, 'arm', now)).toBeNull();
});
