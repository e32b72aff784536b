/** The nodes of a page's own safety stop: every node that this page, or an earlier one in this browser, has seen. */
import { expect, it } from 'vitest';
import { sampleNode } from '../../fixtures/sampleWorkflow.ts';
import { listTargets, mergeSeenNodes, parseSeenNodes } from './knownNodes.ts';

const workcell = 'http://lab-pc:8005/';
const arm = { url: 'http://127.0.0.1:2000/', commands: ['safety_stop'] };

it.each([['not json'], ['[]'], ['{"a": 1}'], [`{"${workcell}": {"arm": "http://lab-pc:2000/"}}`]])(
  'invalid stored nodes are ignored: %s',
  (text) => expect(parseSeenNodes(text)).toEqual({}),
);

it('a response without address, commands or nodes removes no known ones', () => {
  const stored = { [workcell]: { arm } };
  const unread = { ...sampleNode(), node_url: null, info: null };
  expect(mergeSeenNodes(stored, workcell, { arm: unread })).toEqual(stored);
  expect(mergeSeenNodes(stored, workcell, {})).toEqual(stored);
});

it('the nodes of the last five workcell managers are stored, the current one last', () => {
  const addresses = Array.from({ length: 7 }, (_, index) => `http://lab-${index}:8005/`);
  const merged = addresses.reduce((all, address) => mergeSeenNodes(all, address, {}), {});
  expect(Object.keys(merged)).toEqual(addresses.slice(2));
});

it('a target has the address as reached from here, its commands, and its flags before the stop', () => {
  const stored = { [workcell]: { arm, far: { url: 'sila://far/1', commands: null } } };
  const targets = listTargets(workcell, stored, { arm: sampleNode({ locked: true, busy: true }) });
  expect(targets).toEqual([
    { name: 'arm', url: 'http://lab-pc:2000/', commands: ['safety_stop'], before: ['lock'], isBusy: true },
    { name: 'far', url: null, commands: null, before: [], isBusy: false },
  ]);
});
