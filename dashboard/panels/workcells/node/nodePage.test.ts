import { describe, expect, it } from 'vitest';
import type { ActionDefinition } from '#api/managers/action.ts';
import type { Event } from '#api/managers/event.ts';
import type { Location } from '#api/managers/location.ts';
import { createNodeContext } from '#dashboard/managers/guards/nodeContext.ts';
import { sampleNode, sampleStep, sampleWorkflow } from '#dashboard/fixtures/sampleWorkflow.ts';
import {
  actionFields,
  toSingleStep,
  describeResults,
  isReachableBy,
  acceptsSeveralFiles,
  listWaitingReasons,
} from './actionFields.ts';
import { eventMessage } from '#dashboard/managers/event/eventText.ts';
import { createEventQuery, isAboutNode, filterNodeEvents, listPastSteps, filterByText } from './nodeHistory.ts';
import { workcellTexts } from '../texts.ts';

const parseStamp = (stamp: string | null | undefined): number | null => (stamp ? Date.parse(`${stamp}Z`) : null);

describe('listPastSteps', () => {
  const steps = [
    sampleStep({
      name: 'Fetch',
      status: 'succeeded',
      start_time: '2026-11-21T13:00:00',
      end_time: '2026-11-21T13:00:30',
    }),
    sampleStep({ name: 'Read', node: 'reader', status: 'succeeded', start_time: '2026-11-21T13:01:00' }),
    sampleStep({ name: 'Return', status: 'running', start_time: '2026-11-21T13:02:00' }),
    sampleStep({ name: 'Home' }),
  ];
  const workflow = sampleWorkflow({ steps }, { running: true, current_step_index: 2 });

  it('lists the steps that began on the node, newest first and once each', () => {
    const pastSteps = listPastSteps('arm', [workflow, workflow], parseStamp);
    expect(pastSteps.map(({ number, name, state }) => [number, name, state])).toEqual([
      [3, 'Return', 'running'],
      [1, 'Fetch', 'succeeded'],
    ]);
    expect((pastSteps[1]?.endedAt ?? 0) - (pastSteps[1]?.startedAt ?? 0)).toBe(30_000);
  });

  it('returns the errors of a failed step', () => {
    const result = {
      action_id: 'a',
      status: 'failed',
      errors: [{ message: 'out of tips' }, { error_type: 'TipError' }],
    };
    const failed = sampleWorkflow({ steps: [sampleStep({ status: 'failed', result })] }, { failed: true });
    expect(listPastSteps('arm', [failed], parseStamp)[0]).toMatchObject({
      state: 'failed',
      errors: 'out of tips; TipError',
    });
  });
});

describe('events of a node', () => {
  const event = (id: string, overrides: Partial<Event> = {}): Event => ({
    _id: id,
    event_type: 'log_info',
    log_level: 20,
    event_timestamp: '2026-11-21T13:00:00.000001',
    source: {},
    event_data: { message: 'hello' },
    ...overrides,
  });

  it.each([
    ['its own event', { source: { node_id: 'ID' } }, true],
    ['an event of a step on the node', { event_data: { message: 'Running', step_node: 'arm' } }, true],
    ['an event with its name', { event_data: { node_name: 'arm' } }, true],
    ['an event with its ID', { event_data: { node_id: 'ID' } }, true],
    ['an event of another node', { source: { node_id: 'OTHER' }, event_data: { step_node: 'reader' } }, false],
    ['an event that only mentions its name', { event_data: { message: 'arm' } }, false],
    ['an event of plain text', { event_data: 'a line of arm' }, false],
    ['an event without data', { event_data: null }, false],
  ])('are recognized from their fields: %s', (_name, overrides, isIncluded) => {
    expect(isAboutNode(event('1', overrides), 'arm', 'ID')).toBe(isIncluded);
  });

  it('are queried by name, ID and start; without an ID, events without a node are excluded', () => {
    expect(isAboutNode(event('1', { source: {} }), 'arm', null)).toBe(false);
    expect(createEventQuery('arm', null, null)).toEqual({
      $or: [{ 'event_data.step_node': 'arm' }, { 'event_data.node_name': 'arm' }, { 'event_data.node': 'arm' }],
    });
    expect(createEventQuery('arm', 'ID', '2026-11-21T13:00:00')).toMatchObject({
      event_timestamp: { $gte: '2026-11-21T13:00:00' },
    });
    expect(createEventQuery('arm', 'ID', null)['$or']).toContainEqual({ 'source.node_id': 'ID' });
  });

  it.each([
    ['a line of a log', 'a line of a log'],
    [{ message: 'Running workflow step', step_action: 'transfer' }, 'Running workflow step: transfer'],
    [{ event_type: 'node_error' }, 'node_error'],
    [{}, 'log_info'],
    [null, '(no message)'],
  ])('show %j as text', (data, expected) => {
    expect(eventMessage(event('1', { event_data: data }))).toBe(expected);
  });

  it('are sorted by the text of their time, newest first', () => {
    const ownSource = { source: { node_id: 'ID' } };
    const list = [
      event('old', ownSource),
      event('new', { ...ownSource, event_timestamp: '2026-11-21T13:00:00.000002' }),
      event('other'),
    ];
    expect(filterNodeEvents(list, 'arm', 'ID').map(({ id }) => id)).toEqual(['new', 'old']);
  });

  it('link to the workflow in their data, or else in their source', () => {
    const source = { node_id: 'ID', workflow_id: 'SOURCE' };
    const list = [event('1', { source, event_data: { workflow_id: 'DATA' } }), event('2', { source, event_data: {} })];
    const links = filterNodeEvents(list, 'arm', 'ID').map(({ id, workflowId }) => [id, workflowId]);
    expect(Object.fromEntries(links)).toEqual({ 1: 'DATA', 2: 'SOURCE' });
  });

  it('are filtered by words', () => {
    const list = ['Move plate', 'Read plate'];
    expect(filterByText(list, ' ', (text) => text)).toBe(list);
    expect(filterByText(list, 'PLATE read', (text) => text)).toEqual(['Read plate']);
  });
});

describe('an action to send', () => {
  const argument = (name: string, type: string) => ({ name, argument_type: type, required: true });
  const action: ActionDefinition = {
    name: 'run',
    args: { points: argument('points', 'int') },
    files: { protocols: argument('protocols', 'list[Path]') },
    locations: { plate: argument('plate', 'location') },
    results: {
      value: { result_label: 'value', result_type: 'json' },
      image: { result_label: 'image', result_type: 'file' },
    },
  };

  it('has one field per argument, with a single file per file argument, and describes its results', () => {
    expect(actionFields(action).map(({ name, shape }) => [name, shape.kind])).toEqual([
      ['points', 'number'],
      ['plate', 'location'],
      ['protocols', 'file'],
    ]);
    expect(actionFields(action).at(-1)?.shape).toEqual({ kind: 'file', several: false });
    expect(acceptsSeveralFiles(action)).toBe(true);
    expect(acceptsSeveralFiles({ ...action, files: {} })).toBe(false);
    expect(describeResults(action)).toBe('Returns value (json), image (file)');
    expect(describeResults({})).toBe('');
  });

  it('becomes a step with its values', () => {
    const file = new File(['a'], 'a.py');
    const value = { args: { points: 5 }, locations: { plate: 'nest', lid: null }, files: { protocols: file } };
    expect(toSingleStep('reader', 'run', value)).toEqual({
      node: 'reader',
      action: 'run',
      args: { points: 5 },
      locations: { plate: 'nest', lid: null },
      files: { protocols: file },
    });
  });

  it('can use the locations that have a representation for the node, even if it is null', () => {
    const location = (name: string, representations: Location['representations']): Location => ({
      location_name: name,
      location_id: name,
      representations,
    });
    const locations = [
      location('b', { arm: [1] }),
      location('a', { arm: null, reader: 1 }),
      location('c', null),
      location('d', {}),
    ];
    expect(
      locations.filter((candidate) => isReachableBy(candidate, 'arm')).map((candidate) => candidate.location_name),
    ).toEqual(['b', 'a']);
  });

  it.each([
    [{}, []],
    [{ paused: true }, [workcellTexts.send.waitReasons.paused]],
    [{ busy: true }, [workcellTexts.send.waitReasons.busyPlain]],
    [{ errored: true, disconnected: true }, [workcellTexts.send.waitReasons.disconnected]],
    [{ errored: true }, [workcellTexts.send.waitReasons.errored]],
  ])('shows why it would wait: %j', (status, reasons) => {
    expect(listWaitingReasons(createNodeContext('arm', sampleNode(status), []), undefined)).toEqual(reasons);
  });

  it('shows the number of workflows before it and that the workcell’s engine has failed', () => {
    const status = { paused: false, errored: true, initializing: false, shutdown: false, locked: false, ok: false };
    expect(listWaitingReasons(createNodeContext('arm', sampleNode(), [sampleWorkflow()]), status)).toEqual([
      workcellTexts.send.waitReasons.workcell,
      '1 workflow before it in the queue',
    ]);
  });
});
