import { describe, expect, it } from 'vitest';
import { knownNodesOf } from './knownNodes.ts';

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
