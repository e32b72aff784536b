import { describe, expect, it } from 'vitest';
import { sampleNode, sampleWorkflow } from '../../fixtures/sampleWorkflow.ts';
import { formatLabCounts } from './counts.ts';

describe('formatLabCounts', () => {
  const nodes = { a: sampleNode(), b: sampleNode({ busy: true }), c: sampleNode({ errored: true }) };
  it.each([
    ['nothing in an empty lab', {}, [], ''],
    ['nodes only', { a: sampleNode() }, [], '1 node ready, no workflow running'],
    [
      'nodes in a safety stop',
      { a: sampleNode({ stopped: true }), b: sampleNode({ locked: true }), c: sampleNode({ locked: true }) },
      [],
      '1 node stopped and 2 locked, no workflow running',
    ],
    [
      'nodes and workflows',
      nodes,
      [sampleWorkflow({}, { running: true }), sampleWorkflow(), sampleWorkflow({}, { paused: true })],
      '1 node ready, 1 busy and 1 in error, 1 workflow running, 1 paused, 1 queued',
    ],
  ])('counts %s', (_name, labNodes, workflows, expected) => {
    expect(formatLabCounts(labNodes, workflows)).toBe(expected);
  });
});
