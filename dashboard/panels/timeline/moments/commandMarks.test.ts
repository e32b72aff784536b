import { describe, expect, it } from 'vitest';
import { createCommandEvent, createRecord, stopCommands, type CommandTarget } from '#api/commandRecord.ts';
import { event } from '#api/managers/eventRecord.ts';
import { matches } from '#demo/base/selector.ts';
import { filterMarks } from './markFilter.ts';
import { createMarks, createMarksQuery } from './marks.ts';

function createStoredCommand(command: string, target: CommandTarget, recordedText: string) {
  const record = createRecord(
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
    recordedText,
  );
  return event.parse({ archived: false, ...createCommandEvent({ id: command, record }, '2026-11-23T14:02:00') });
}
const lab: CommandTarget = { kind: 'lab', id: null, name: 'all nodes' };
const arm: CommandTarget = { kind: 'node', id: null, name: 'arm' };

const readTime = (stamp: string | null | undefined) => Date.parse(stamp ?? '');

describe('the marks of recorded commands', () => {
  it('show a safety stop once for the whole lab, with its sender', () => {
    const events = [
      createStoredCommand(stopCommands.stop, lab, 'Safety stop'),
      createStoredCommand(stopCommands.result, lab, 'Safety stop: result'),
    ];
    const marks = createMarks(events, { byId: new Map(), manager: null }, readTime);
    expect(marks).toMatchObject([{ kind: 'stop', node: null, text: expect.stringContaining('lab-pc, dashboard') }]);
  });

  it.each([
    ['lock', arm, 'command', 'arm'],
    ['pause', arm, 'command', 'arm'],
    [stopCommands.release, lab, 'command', null],
  ] as const)('show the command %s for %j', (command, target, kind, node) => {
    expect(
      createMarks([createStoredCommand(command, target, command)], { byId: new Map(), manager: null }, readTime),
    ).toMatchObject([{ kind, node }]);
  });

  const day = { from: Date.UTC(2026, 10, 23), to: Date.UTC(2026, 10, 24) };
  const naive = (at: number) => new Date(at).toISOString().slice(0, -1);
  const marksQuery = createMarksQuery(day, { queryStart: naive, queryEnd: naive });

  it.each([
    ['pause', { kind: 'workflow', id: 'W1', name: 'Growth assay' }],
    ['start', { kind: 'experiment', id: 'E1', name: 'Growth' }],
    ['set_quantity', { kind: 'resource', id: 'R1', name: 'plate' }],
    ['attach', { kind: 'location', id: 'L1', name: 'deck' }],
    ['maintenance', { kind: 'manager', id: null, name: 'Data Manager' }],
    ['maintenance_end', { kind: 'lab', id: null, name: 'the lab' }],
  ] as const)('include the command %s for %j as done', (command, target) => {
    const record = createStoredCommand(command, target, `${command} ${target.name}`);
    expect(matches(record, marksQuery)).toBe(true);
    const marks = filterMarks(createMarks([record], { byId: new Map(), manager: null }, readTime), 'commands');
    expect(marks).toMatchObject([{ kind: 'command', node: null, appearance: { label: 'Done' } }]);
  });

  it('do not include notes', () => {
    expect(
      createMarks([createStoredCommand('add_note', lab, 'Note')], { byId: new Map(), manager: null }, readTime),
    ).toEqual([]);
  });
});
