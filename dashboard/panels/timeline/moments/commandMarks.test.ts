import { describe, expect, it } from 'vitest';
import { commandEvent, newRecord, stopCommands, type CommandTarget } from '../../../../api/commandRecord.ts';
import { event } from '../../../../api/managers/eventRecord.ts';
import { marksOf } from './marks.ts';

function stored(command: string, target: CommandTarget, what: string) {
  const record = newRecord(
    {
      command,
      target,
      result: 'done',
      reason: '',
      sent_at: '2026-11-23T14:02:00.000Z',
      duration_ms: 5,
      application: 'dashboard',
      machine: 'lab-pc',
    },
    what,
  );
  return event.parse({ archived: false, ...commandEvent({ id: command, record }, '2026-11-23T14:02:00') });
}
const lab: CommandTarget = { kind: 'lab', id: null, name: 'all nodes' };
const arm: CommandTarget = { kind: 'node', id: null, name: 'arm' };

const readTime = (stamp: string | null | undefined) => Date.parse(stamp ?? '');

describe('recorded commands on the timeline', () => {
  it('marks a safety stop once, for the whole lab, with who sent it', () => {
    const events = [
      stored(stopCommands.stop, lab, 'Safety stop'),
      stored(stopCommands.result, lab, 'Safety stop: result'),
    ];
    const marks = marksOf(events, { byId: new Map(), manager: null }, readTime);
    expect(marks).toMatchObject([{ kind: 'stop', node: null, words: expect.stringContaining('lab-pc, dashboard') }]);
  });

  it.each([
    ['lock', arm, 'command', 'arm'],
    ['pause', arm, 'command', 'arm'],
    [stopCommands.release, lab, 'command', null],
  ] as const)('marks %s of %j', (command, target, kind, node) => {
    expect(marksOf([stored(command, target, command)], { byId: new Map(), manager: null }, readTime)).toMatchObject([
      { kind, node },
    ]);
  });
});
