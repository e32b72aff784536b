import { describe, expect, it } from 'vitest';
import { knownNodesOf, maxNodesBytes, mergeKnownNodes, nodeEssentials, nodesWarning } from './knownNodes.ts';
import { readNodes } from './readActivity.ts';

const workcell = 'http://lab-pc:8005/';

describe('knownNodesOf', () => {
  it('takes names, addresses and commands, whatever else is said', () => {
    const body = {
      reader: { node_url: null, status: 3, info: null },
      arm: { node_url: 'http://localhost:2000/', info: { capabilities: { admin_commands: ['lock'] } }, extra: [[]] },
    };
    expect(knownNodesOf(workcell, body)).toEqual({
      workcell,
      nodes: [
        { name: 'arm', url: 'http://lab-pc:2000/', commands: ['lock'] },
        { name: 'reader', url: null, commands: null },
      ],
    });
  });

  it('takes how each is now, with its flags, where that can be read', () => {
    const status = { busy: true, paused: false, locked: true, stopped: false, errored: false, initializing: false };
    const body = nodeEssentials({ arm: { status: { ...status, ready: false } }, odd: { status: 'busy' } });
    expect(knownNodesOf(workcell, body)?.nodes).toMatchObject([
      { name: 'arm', now: { state: 'locked', flags: ['busy'] } },
      { name: 'odd' },
    ]);
    expect(knownNodesOf(workcell, body)?.nodes[1]).not.toHaveProperty('now');
  });

  it.each([
    ['a script', 'javascript:alert(1)', null],
    ['no address', 'bench4', null],
    ['a number', 7, null],
    ['another machine', 'http://bench4:2000/', 'http://bench4:2000/'],
  ])('an address that is %s', (_name, url, address) => {
    expect(knownNodesOf(workcell, { arm: { node_url: url } })?.nodes[0]?.url).toBe(address);
  });

  it.each([
    ['an error body', { detail: 'Internal Server Error' }],
    ['far too many', Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`n${index}`, {}]))],
  ])('%s is no list of nodes', (_name, body) => {
    expect(knownNodesOf(workcell, body)).toBeNull();
  });
});

describe('an answer with one odd node', () => {
  const good = {
    node_url: 'http://bench4:2000/',
    status: { busy: true, locked: true, errors: [] },
    info: { capabilities: { admin_commands: ['lock', 'safety_stop'] } },
  };
  const names = (body: object) => knownNodesOf(workcell, nodeEssentials({ ...body }))?.nodes.map(({ name }) => name);
  const long = 'n'.repeat(400);

  it.each<[string, Record<string, unknown>]>([
    ['whose errors are null', { odd: { ...good, status: { ...good.status, errors: null } } }],
    ['that lacks a flag', { odd: { ...good, status: { locked: true } } }],
    ['that is null', { odd: null }],
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
  ])('hides no other node, nor itself: %s', (_what, odd) => {
    const body = { a: good, ...odd, z: good };
    expect(names(body)).toEqual(Object.keys(body).toSorted());
    expect(knownNodesOf(workcell, nodeEssentials(body))?.nodes.at(-1)).toMatchObject({
      url: 'http://bench4:2000/',
      commands: ['lock', 'safety_stop'],
    });
    const states = readNodes(nodeEssentials(body), new Map(), '2026-11-21T14:00:00Z');
    expect([...(states ?? new Map()).values()].filter(({ state }) => state === 'locked').length).toBeGreaterThanOrEqual(
      2,
    );
    expect(states?.size).toBe(3);
  });

  it('takes an answer that is larger than other answers may be', () => {
    const errors = Array.from({ length: 40_000 }, (_, index) => ({
      message: `error ${index}`,
      logged_at: '2026-11-21T14:00:00',
      error_type: 'TipError',
    }));
    const size = JSON.stringify({ odd: { status: { errors } } }).length * 4;
    expect(size).toBeLessThan(maxNodesBytes);
  });

  it('is reported', () => {
    const nodes = knownNodesOf(workcell, { arm: good, odd: 'broken' });
    expect(nodes).toMatchObject({ nodes: [{ name: 'arm' }], skipped: ['odd'] });
    expect(nodesWarning(workcell, nodes)).toContain('odd');
    expect(nodesWarning(workcell, null)).toContain('keeps the nodes');
    expect(nodesWarning(workcell, knownNodesOf(workcell, { arm: good }))).toBe('');
  });
});

describe('the list of nodes that is kept', () => {
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
  ])('stays whole after an answer that %s', (_what, now) => {
    expect(mergeKnownNodes(before, now)).toEqual(before);
  });

  it('loses a node that the workcell manager no longer lists', () => {
    expect(mergeKnownNodes(before, { workcell, nodes: [node('arm')] }).nodes).toEqual([node('arm')]);
  });

  it('is replaced by the list of another workcell', () => {
    const other = { workcell: 'http://other:8005/', nodes: [] };
    expect(mergeKnownNodes(before, other)).toEqual(other);
  });
});
