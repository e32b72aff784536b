import { describe, expect, it } from 'vitest';
import type { AdminCommand } from '../managers/action.ts';
import { sendingOutcome, type StopState } from './safetyStop.ts';
import { sampleNode } from '../../dashboard/fixtures/sampleWorkflow.ts';
import { safetyStopTexts as texts } from './safetyStopTexts.ts';
import {
  activeCommands,
  replaceRow,
  planReleases,
  hasPendingRetries,
  fromStoppedNode,
  rowText,
  toStoppedNode,
  summaryText,
  type StopRow,
} from './stopReport.ts';

const lab = 'http://lab:8005/';

function row(
  name: string,
  state: StopState,
  did: readonly AdminCommand[] = [],
  changes: Partial<StopRow> = {},
): StopRow {
  const target = { workcell: lab, name, url: null, commands: null };
  return {
    ...target,
    outcome: { ...sendingOutcome, state, appliedCommands: did },
    attempt: 1,
    previousCommands: [],
    earlierEffects: [],
    releasedAt: null,
    releaseFailure: '',
    ...changes,
  };
}

describe('a row of the stop report', () => {
  it.each<[StopState, boolean]>([
    ['sending', true],
    ['confirmed', false],
    ['held', true],
    ['sent', true],
    ['unknownCommand', true],
    ['refused', true],
    ['failed', true],
  ])('shows for %s the advice about the hardware stop: %s', (state, hasAdvice) => {
    expect(rowText(row('arm', state)).includes(texts.advice)).toBe(hasAdvice);
  });

  it('describes the replacement commands, their limits and the number of attempts', () => {
    expect(rowText(row('arm', 'held', ['lock', 'pause']))).toMatch(/locked and paused, which is not a safety stop/);
    expect(rowText(row('arm', 'held', ['lock', 'cancel']))).toContain(
      'It was locked, and its action was cancelled, which',
    );
    expect(rowText(row('arm', 'held', ['cancel']))).toContain('Its action was cancelled, which is not a safety stop.');
    expect(rowText(row('arm', 'sent', [], { attempt: 3 }))).toContain(texts.sentTimes(3));
    expect(rowText(row('arm', 'sent'))).not.toContain('times');
  });

  it('replaces the row of the same node, sorts by urgency and keeps nodes of the same name in two workcells apart', () => {
    const rows = replaceRow(replaceRow([], row('reader', 'sending')), row('arm', 'sending'));
    const otherWorkcell = row('arm', 'sent', [], { workcell: 'http://other:8005/' });
    const after = replaceRow(replaceRow(rows, otherWorkcell), row('arm', 'confirmed'));
    expect(after.map(({ name, outcome }) => `${name} ${outcome.state}`)).toEqual([
      'arm sent',
      'reader sending',
      'arm confirmed',
    ]);
  });
});

describe('the summary of the stop report', () => {
  it('counts the nodes that confirmed, that have not answered and that may not have stopped', () => {
    const rows = [row('a', 'confirmed'), row('b', 'sending'), row('c', 'held'), row('d', 'sent')];
    expect(summaryText(rows, false)).toBe([texts.summary(1, 4), texts.waiting(1), texts.notStopped(2)].join(' '));
    expect(summaryText([], true)).toBe(texts.readingNodes);
    expect(summaryText([], false)).toBe(texts.none);
  });
});

describe('the summary after a release', () => {
  it('counts the released nodes and no longer those that confirmed', () => {
    const released = { releasedAt: 1 };
    const rows = [
      row('a', 'confirmed', ['safety_stop'], released),
      row('b', 'held', ['lock'], released),
      row('c', 'confirmed', ['safety_stop']),
      row('d', 'sent'),
    ];
    expect(summaryText(rows, false, 1)).toBe(
      [texts.releasedSummary(2, 4), texts.stillStopped(1), texts.neverConfirmed(1)].join(' '),
    );
    expect(summaryText(rows.slice(0, 2), false)).toBe('All 2 nodes are released.');
  });
});

describe('a row in the event log', () => {
  it('contains everything that a release needs when it is read back', () => {
    const stoppedRow = row('a', 'held', ['pause'], { previousCommands: ['lock'], earlierEffects: ['lock'] });
    const readBack = fromStoppedNode(toStoppedNode(stoppedRow), lab);
    expect(planReleases({ rows: [readBack], nodes: {}, workcell: lab, isRead: () => false })).toEqual(
      planReleases({ rows: [stoppedRow], nodes: {}, workcell: lab, isRead: () => false }),
    );
    expect(readBack).toMatchObject({
      name: 'a',
      workcell: lab,
      previousCommands: ['lock'],
      outcome: { state: 'held' },
    });
  });
});

describe('repeating a safety stop', () => {
  it.each<[StopRow, boolean]>([
    [row('a', 'confirmed'), false],
    [row('a', 'held', ['lock']), false],
    [row('a', 'sending'), false],
    [row('a', 'sending', [], { attempt: 2 }), true],
    [row('a', 'sent'), true],
    [row('a', 'failed'), true],
    [row('a', 'refused'), true],
  ])(
    'is pending only for a row that was refused, failed, was only sent or is sent again (case %#)',
    (candidate, isPending) => {
      expect(hasPendingRetries([row('b', 'confirmed'), candidate])).toBe(isPending);
    },
  );
});

describe('a release of a safety stop', () => {
  const emptyObservation = { rows: [], nodes: {}, workcell: lab, isRead: () => false };
  const plan = (changes: Partial<Parameters<typeof planReleases>[0]>) =>
    planReleases({ ...emptyObservation, ...changes }).map(({ name, commands }) => `${name}: ${commands.join(', ')}`);

  it('resets every node that reports to be stopped, regardless of the cause', () => {
    expect(plan({ nodes: { arm: sampleNode({ stopped: true }), reader: sampleNode() } })).toEqual(['arm: reset']);
  });

  it('resets a node that confirmed until its state shows that it is not stopped', () => {
    const rows = [row('arm', 'confirmed', ['safety_stop'])];
    expect(plan({ rows, nodes: { arm: sampleNode() } })).toEqual(['arm: reset']);
    expect(plan({ rows, nodes: { arm: sampleNode() }, isRead: () => true })).toEqual([]);
    expect(plan({ rows, nodes: {}, isRead: () => true })).toEqual(['arm: reset']);
  });

  it('undoes only changes since the stop at a node whose reply is unknown', () => {
    const rows = [row('a', 'sent'), row('b', 'sent', [], { previousCommands: ['lock'] }), row('c', 'refused')];
    const locked = sampleNode({ locked: true, paused: true });
    const nodes = { a: locked, b: locked, c: locked };
    expect(plan({ rows, nodes })).toEqual([]);
    expect(plan({ rows, nodes, isRead: () => true })).toEqual(['a: unlock, resume', 'b: resume']);
  });

  it('undoes exactly the commands that a node without a safety stop confirmed, except those that were in force before', () => {
    const before = activeCommands(sampleNode({ locked: true }).status);
    const rows = [
      row('a', 'held', ['lock', 'pause']),
      row('b', 'held', ['lock', 'pause'], { previousCommands: before }),
      row('c', 'held', ['lock', 'cancel']),
      row('d', 'held', ['lock'], { previousCommands: before }),
      row('e', 'sent'),
      row('f', 'held', ['lock'], { releasedAt: 1 }),
    ];
    expect(plan({ rows })).toEqual(['a: unlock, resume', 'b: resume', 'c: unlock']);
    expect(activeCommands(null)).toEqual([]);
    expect(activeCommands(sampleNode({ paused: true }).status)).toEqual(['pause']);
  });

  it('resets a confirmed node that is unreachable, because the manager reports none of its flags', () => {
    const rows = [row('arm', 'confirmed', ['safety_stop'])];
    const nodes = { arm: sampleNode({ disconnected: true, errored: true }) };
    expect(plan({ rows, nodes, isRead: () => true })).toEqual(['arm: reset']);
  });

  it('undoes the commands of an earlier press that a later press could not repeat', () => {
    const rows = [row('arm', 'failed', [], { earlierEffects: ['lock', 'pause'] })];
    expect(plan({ rows, nodes: { arm: sampleNode({ locked: true, paused: true }) } })).toEqual(['arm: unlock, resume']);
  });

  it('resets a confirmed node of another workcell, whose state is not read here', () => {
    const rows = [row('arm', 'confirmed', ['safety_stop'], { workcell: 'http://other:8005/' })];
    expect(plan({ rows, nodes: { arm: sampleNode() }, isRead: () => true })).toEqual(['arm: reset']);
  });
});
