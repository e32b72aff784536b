import { describe, expect, it } from 'vitest';
import type { AdminCommand } from '../../../api/managers/action.ts';
import { sendingOutcome, type StopState } from '../../../api/safetyStop.ts';
import { sampleNode } from '../../fixtures/workflow.ts';
import { safetyStopTexts as texts } from './texts.ts';
import { alreadySo, putRow, releasesOf, repeats, rowWords, summaryWords, type StopRow } from './report.ts';

const lab = 'http://lab:8005/';

function row(name: string, state: StopState, did: readonly AdminCommand[] = [], more: Partial<StopRow> = {}): StopRow {
  const target = { workcell: lab, name, url: null, commands: null };
  return { ...target, outcome: { ...sendingOutcome, state, did }, attempt: 1, before: [], released: false, ...more };
}

describe('a row', () => {
  it.each<[StopState, boolean]>([
    ['sending', true],
    ['confirmed', false],
    ['held', true],
    ['sent', true],
    ['unknownCommand', true],
    ['refused', true],
    ['failed', true],
  ])('%s gives the hardware advice: %s', (state, advises) => {
    expect(rowWords(row('arm', state)).includes(texts.advice)).toBe(advises);
  });

  it('says what was done instead and what it is worth, and how often it was sent', () => {
    expect(rowWords(row('arm', 'held', ['lock', 'pause']))).toMatch(/locked and paused, which is not a safety stop/);
    expect(rowWords(row('arm', 'sent', [], { attempt: 3 }))).toContain(texts.sentTimes(3));
    expect(rowWords(row('arm', 'sent'))).not.toContain('times');
  });

  it('takes the place of the same node’s; nodes of one name in two workcells are two', () => {
    const rows = putRow(putRow([], row('reader', 'sending')), row('arm', 'sending'));
    const elsewhere = row('arm', 'sent', [], { workcell: 'http://other:8005/' });
    const after = putRow(putRow(rows, elsewhere), row('arm', 'confirmed'));
    expect(after.map(({ name, outcome }) => `${name} ${outcome.state}`)).toEqual([
      'arm confirmed',
      'arm sent',
      'reader sending',
    ]);
  });
});

describe('the summary', () => {
  it('counts who confirmed, who is still to answer, and who is not known to have stopped', () => {
    const rows = [row('a', 'confirmed'), row('b', 'sending'), row('c', 'held'), row('d', 'sent')];
    expect(summaryWords(rows, false)).toBe([texts.summary(1, 4), texts.waiting(1), texts.notStopped(2)].join(' '));
    expect(summaryWords([], true)).toBe(texts.looking);
    expect(summaryWords([], false)).toBe(texts.none);
  });
});

describe('sending again', () => {
  it.each<[StopRow, boolean]>([
    [row('a', 'confirmed'), false],
    [row('a', 'held', ['lock']), false],
    [row('a', 'sending'), false],
    [row('a', 'sending', [], { attempt: 2 }), true],
    [row('a', 'sent'), true],
    [row('a', 'failed'), true],
    [row('a', 'refused'), true],
  ])('%#', (of, is) => {
    expect(repeats([row('b', 'confirmed'), of])).toBe(is);
  });
});

describe('a release', () => {
  const seen = { rows: [], nodes: {}, workcell: lab, seenSince: false };
  const plan = (more: Partial<Parameters<typeof releasesOf>[0]>) =>
    releasesOf({ ...seen, ...more }).map(({ name, commands }) => `${name}: ${commands.join(', ')}`);

  it('resets who says to be stopped, whoever stopped it', () => {
    expect(plan({ nodes: { arm: sampleNode({ stopped: true }), reader: sampleNode() } })).toEqual(['arm: reset']);
  });

  it('resets who confirmed, until it is seen not to be stopped', () => {
    const rows = [row('arm', 'confirmed', ['safety_stop'])];
    expect(plan({ rows, nodes: { arm: sampleNode() } })).toEqual(['arm: reset']);
    expect(plan({ rows, nodes: { arm: sampleNode() }, seenSince: true })).toEqual([]);
    expect(plan({ rows, nodes: {}, seenSince: true })).toEqual(['arm: reset']);
  });

  it('undoes exactly what a node without a safety stop confirmed, but for what it was before', () => {
    const before = alreadySo(sampleNode({ locked: true }).status);
    const rows = [
      row('a', 'held', ['lock', 'pause']),
      row('b', 'held', ['lock', 'pause'], { before }),
      row('c', 'held', ['lock', 'cancel']),
      row('d', 'held', ['lock'], { before }),
      row('e', 'sent'),
      row('f', 'held', ['lock'], { released: true }),
    ];
    expect(plan({ rows })).toEqual(['a: unlock, resume', 'b: resume', 'c: unlock']);
    expect(alreadySo(null)).toEqual([]);
    expect(alreadySo(sampleNode({ paused: true }).status)).toEqual(['pause']);
  });

  it('of another workcell’s node goes by what it confirmed: its state isn’t read here', () => {
    const rows = [row('arm', 'confirmed', ['safety_stop'], { workcell: 'http://other:8005/' })];
    expect(plan({ rows, nodes: { arm: sampleNode() }, seenSince: true })).toEqual(['arm: reset']);
  });
});
