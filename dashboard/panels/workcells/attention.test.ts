import { createNodeStateStart } from '../../managers/workcell/nodeState.ts';
import { describe, expect, it } from 'vitest';
import type { Node } from '#api/managers/node.ts';
import { parseTime } from '../../base/time.ts';
import { sampleTime } from '../../fixtures/sampleLabStatus.ts';
import { sampleNode, sampleWorkflow } from '../../fixtures/sampleWorkflow.ts';
import { type WorkcellAttentionInput, attentionTexts as texts, workcellAttention } from './attention.ts';

const workcell = (nodes: Record<string, Node>, errored = false): WorkcellAttentionInput['workcell'] => ({
  status: {
    paused: false,
    errored,
    errors: errored ? [{ message: 'database lost', logged_at: sampleTime(14, 0) }] : [],
    initializing: false,
    shutdown: false,
    locked: false,
    ok: !errored,
  },
  workflow_queue: [],
  workcell_info: { name: 'Example Workcell' },
  nodes,
});
const items = (nodes: Record<string, Node>, changed: Partial<WorkcellAttentionInput> = {}) =>
  workcellAttention({
    workcell: workcell(nodes),
    current: [],
    parseStamp: parseTime,
    since: createNodeStateStart([], parseTime),
    isInMaintenance: () => false,
    ...changed,
  });

describe('attention items of a workcell', () => {
  it('are empty when the workcell is healthy or unknown', () => {
    expect(items({ arm: sampleNode() })).toEqual([]);
    expect(items({}, { workcell: undefined })).toEqual([]);
  });

  it('include nodes in error and unreachable ones with their headline, but not busy or paused ones', () => {
    const errors = [{ message: 'filter wheel did not home', logged_at: sampleTime(13, 57) }];
    const attentionItems = items({
      arm: sampleNode({ busy: true }),
      paused: sampleNode({ paused: true }),
      reader: sampleNode({ errored: true, errors }),
      far: sampleNode({ disconnected: true, errored: true, errors: [{ message: 'no route to host' }] }),
    });
    expect(attentionItems.map(({ name, reason, headline, since }) => [name, reason, headline, since])).toEqual([
      ['reader', 'filter wheel did not home', 'reader in error', parseTime(sampleTime(13, 57))],
      ['far', 'no route to host', 'far unreachable', null],
    ]);
  });

  it('name the other flags of a node, so that movement is not hidden', () => {
    const [arm] = items({ arm: sampleNode({ errored: true, busy: true, locked: true }) });
    expect(arm?.headline).toBe('arm in error (busy, locked)');
  });

  it('include an engine that has stopped', () => {
    const [engine] = items({}, { workcell: workcell({}, true) });
    expect(engine).toMatchObject({
      name: 'Example Workcell',
      reason: texts.because(texts.workcellErrored, 'database lost'),
      headline: texts.engineHeadline('Example Workcell'),
    });
  });

  it('count the workflows that wait for a node that needs attention', () => {
    const current = [
      sampleWorkflow(),
      sampleWorkflow({ workflow_id: 'b' }),
      sampleWorkflow({ workflow_id: 'c' }, { running: true }),
    ];
    const [arm] = items({ arm: sampleNode({ stopped: true }) }, { current });
    expect(arm?.reason).toMatch(/a reset releases it\. 2 workflows wait for it\.$/);
  });

  it.each(['locked', 'paused'] as const)('include a %s node only if workflows wait for it', (flag) => {
    const nodes = { arm: sampleNode({ [flag]: true }), other: sampleNode({ [flag]: true }) };
    const attentionItems = items(nodes, { current: [sampleWorkflow()] });
    expect(attentionItems.map(({ headline, reason }) => [headline, reason])).toEqual([
      [`arm ${flag}`, expect.stringMatching(/One workflow waits for it\.$/)],
    ]);
    expect(items(nodes, { current: [sampleWorkflow()], isInMaintenance: () => true })).toEqual([]);
  });
});
