import { resolveNodeAddress } from '../../../api/hosts.ts';
import { describe, expect, it } from 'vitest';
import { sampleNode } from '../../fixtures/sampleWorkflow.ts';
import { lastWorkcell, parseSeenNodes, mergeSeenNodes, toSeenNodes, listTargets } from './targets.ts';

const lab = 'http://lab:8005/';
const nodeAt = (url: string | null, commands: readonly string[] | null = null) => ({
  ...sampleNode({}, commands),
  node_url: url,
});

describe('the targets of a safety stop', () => {
  it('are the current and the previously seen nodes, with current data first', () => {
    const currentNodes = { arm: nodeAt('http://bench:2000/', ['lock']), reader: nodeAt(null) };
    const seen = {
      arm: { url: 'http://old:2000/', commands: ['safety_stop'] },
      reader: { url: 'http://bench:2001/', commands: ['safety_stop'] },
      gone: { url: 'http://bench:2002/', commands: null },
    };
    expect(listTargets(lab, currentNodes, seen)).toEqual([
      { workcell: lab, name: 'arm', url: 'http://bench:2000/', commands: ['lock'] },
      { workcell: lab, name: 'gone', url: 'http://bench:2002/', commands: null },
      { workcell: lab, name: 'reader', url: 'http://bench:2001/', commands: ['safety_stop'] },
    ]);
  });

  it.each([
    ['http://localhost:2000/', 'http://lab-pc:8005/', 'http://lab-pc:2000/'],
    ['http://127.0.0.1:2000/arm/', 'http://127.0.0.1:8005/', 'http://127.0.0.1:2000/arm/'],
    ['http://bench:2000/', 'http://lab-pc:8005/', 'http://bench:2000/'],
    ['javascript:alert(1)', 'http://lab-pc:8005/', null],
    ['', 'http://lab-pc:8005/', null],
  ])('have a resolved address or none: %s in the workcell at %s is %s', (url, workcell, address) => {
    expect(resolveNodeAddress(url, workcell)).toBe(address);
  });
});

describe('the remembered nodes', () => {
  it.each([
    '',
    'null',
    '[1]',
    '{"a": 3}',
    '{"http://w/": {"arm": 7, "reader": "http://r/", "hood": {"url": 3}}}',
    '{"http://w/": {"reader": {"url": "http://r/", "commands": [1]}, "arm": null}}',
  ])('are parsed from any content of the browser’s storage: %s', (text) => {
    const nodes = Object.values(parseSeenNodes(text)).flatMap(Object.entries);
    expect(nodes.every(([name]) => name === 'reader')).toBe(true);
    for (const [, node] of nodes) expect(node).toEqual({ url: 'http://r/', commands: null });
  });

  it('are read as they were written', () => {
    const seen = mergeSeenNodes(
      {},
      lab,
      toSeenNodes({ arm: nodeAt('http://arm:2000/', ['safety_stop']), reader: nodeAt(null) }),
    );
    expect(parseSeenNodes(JSON.stringify(seen))).toEqual({
      [lab]: { arm: { url: 'http://arm:2000/', commands: ['safety_stop'] } },
    });
  });

  it('keep address and commands of a node whose record has lost them', () => {
    const seen = mergeSeenNodes(
      {},
      lab,
      toSeenNodes({ arm: nodeAt('http://arm:2000/', ['lock']), reader: nodeAt('http://reader:2000/') }),
    );
    const { info: _info, ...rest } = nodeAt(null);
    const after = mergeSeenNodes(
      seen,
      lab,
      toSeenNodes({ arm: { ...rest, info: null, status: null }, reader: nodeAt('http://reader:2000/') }),
    );
    expect(after).toEqual(seen);
  });

  it('are stored for the last five workcells, and the last one is known', () => {
    const node = { arm: { url: 'http://arm:2000/', commands: null } };
    let seen = {};
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) seen = mergeSeenNodes(seen, `http://${name}/`, node);
    expect(Object.keys(seen)).toEqual(['b', 'c', 'd', 'e', 'f'].map((name) => `http://${name}/`));
    seen = mergeSeenNodes(seen, 'http://c/', {});
    expect(lastWorkcell(seen)).toBe('http://c/');
    expect(seen).toMatchObject({ 'http://c/': node });
    expect(lastWorkcell(mergeSeenNodes(seen, 'http://new/', {}))).toBe('http://new/');
    expect(lastWorkcell({})).toBe('');
  });
});
