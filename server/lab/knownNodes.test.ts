import { describe, expect, it } from 'vitest';
import { readKnownNodes, maxNodesBytes, mergeKnownNodes, nodeEssentials, nodesWarning } from './knownNodes.ts';
import { readNodes } from '../readers/readActivity.ts';

const workcell = 'http://lab-pc:8005/';

describe('readKnownNodes', () => {
  it('reads names, addresses and commands among any other data', () => {
    const body = {
      reader: { node_url: null, status: 3, info: null },
      arm: { node_url: 'http://localhost:2000/', info: { capabilities: { admin_commands: ['lock'] } }, extra: [[]] },
    };
    expect(readKnownNodes(workcell, body)).toEqual({
      workcell,
      nodes: [
        { name: 'arm', url: 'http://lab-pc:2000/', commands: ['lock'] },
        { name: 'reader', url: null, commands: null },
      ],
    });
  });

  it('reads the current state and flags of each node where they are valid', () => {
    const status = { busy: true, paused: false, locked: true, stopped: false, errored: false, initializing: false };
    const body = nodeEssentials({ arm: { status: { ...status, ready: false } }, odd: { status: 'busy' } });
    expect(readKnownNodes(workcell, body)?.nodes).toMatchObject([
      { name: 'arm', now: { state: 'locked', flags: ['busy'] } },
      { name: 'odd' },
    ]);
    expect(readKnownNodes(workcell, body)?.nodes[1]).not.toHaveProperty('now');
  });

  it.each([
    ['a script', 'javascript:alert(1)', null],
    ['an invalid address', 'bench4', null],
    ['a number', 7, null],
    ['another machine', 'http://bench4:2000/', 'http://bench4:2000/'],
  ])('reads only a valid address of a node: %s', (_name, url, address) => {
    expect(readKnownNodes(workcell, { arm: { node_url: url } })?.nodes[0]?.url).toBe(address);
  });

  it.each([
    ['an error body', { detail: 'Internal Server Error' }],
    ['too many nodes', Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`n${index}`, {}]))],
  ])('returns null for %s', (_name, body) => {
    expect(readKnownNodes(workcell, body)).toBeNull();
  });
});

describe('a response with the nodes of a workcell', () => {
  const good = {
    node_url: 'http://bench4:2000/',
    status: { busy: true, locked: true, errors: [] },
    info: { capabilities: { admin_commands: ['lock', 'safety_stop'] } },
  };
  const names = (body: object) => readKnownNodes(workcell, nodeEssentials({ ...body }))?.nodes.map(({ name }) => name);
  const long = 'n'.repeat(400);

  it.each<[string, Record<string, unknown>]>([
    ['with errors that are null', { odd: { ...good, status: { ...good.status, errors: null } } }],
    ['without a flag', { odd: { ...good, status: { locked: true } } }],
    ['with a node that is null', { odd: null }],
    [
      'with a table of 430 KB',
      { odd: { ...good, status: { ...good.status, config_values: { table: 'x'.repeat(430_000) } } } },
    ],
    [
      'with 40,000 errors',
      {
        odd: {
          ...good,
          status: { ...good.status, errors: Array.from({ length: 40_000 }, () => ({ message: 'no tip' })) },
        },
      },
    ],
    ['with a long name', { [long]: good }],
  ])('is read completely %s', (_what, odd) => {
    const body = { a: good, ...odd, z: good };
    expect(names(body)).toEqual(Object.keys(body).toSorted());
    expect(readKnownNodes(workcell, nodeEssentials(body))?.nodes.at(-1)).toMatchObject({
      url: 'http://bench4:2000/',
      commands: ['lock', 'safety_stop'],
    });
    const states = readNodes(nodeEssentials(body), new Map(), '2026-11-21T14:00:00Z');
    expect([...(states ?? new Map()).values()].filter(({ state }) => state === 'locked').length).toBeGreaterThanOrEqual(
      2,
    );
    expect(states?.size).toBe(3);
  });

  it('may contain 40,000 errors of each of four nodes', () => {
    const errors = Array.from({ length: 40_000 }, (_, index) => ({
      message: `error ${index}`,
      logged_at: '2026-11-21T14:00:00',
      error_type: 'TipError',
    }));
    const size = JSON.stringify({ odd: { status: { errors } } }).length * 4;
    expect(size).toBeLessThan(maxNodesBytes);
  });

  it('causes a warning if it contains an invalid node or is invalid as a whole', () => {
    const nodes = readKnownNodes(workcell, { arm: good, odd: 'broken' });
    expect(nodes).toMatchObject({ nodes: [{ name: 'arm' }], skipped: ['odd'] });
    expect(nodesWarning(workcell, nodes)).toContain('odd');
    expect(nodesWarning(workcell, null)).toContain('keeps the nodes');
    expect(nodesWarning(workcell, readKnownNodes(workcell, { arm: good }))).toBe('');
  });
});

describe('the stored list of nodes', () => {
  const node = (name: string, url: string | null = `http://${name}:2000/`) => ({
    name,
    url,
    commands: url === null ? null : ['lock'],
  });
  const before = { workcell, nodes: [node('arm'), node('reader')] };

  it.each([
    ['is empty', { workcell, nodes: [] }],
    ['lacks a record', { workcell, nodes: [node('arm')], skipped: ['reader'] }],
    ['has lost an address', { workcell, nodes: [node('arm'), node('reader', null)] }],
  ])('stays complete after a response that %s', (_what, now) => {
    expect(mergeKnownNodes(before, now)).toEqual(before);
  });

  it('drops a node that the workcell manager no longer lists', () => {
    expect(mergeKnownNodes(before, { workcell, nodes: [node('arm')] }).nodes).toEqual([node('arm')]);
  });

  it('is replaced by the list of another workcell', () => {
    const otherWorkcell = { workcell: 'http://other:8005/', nodes: [] };
    expect(mergeKnownNodes(before, otherWorkcell)).toEqual(otherWorkcell);
  });
});
