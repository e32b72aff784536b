import { describe, expect, it } from 'vitest';
import type { Event } from '#api/managers/event.ts';
import {
  toEventRow,
  filterSelectors,
  parseSubject,
  subjectPage,
  subjectSelector,
  extractSubjects,
  wordSelectors,
} from './eventRow.ts';

const event = (overrides: Partial<Event> = {}): Event => ({
  _id: 'E',
  event_type: 'log_info',
  log_level: 20,
  event_timestamp: '2026-11-21T07:21:23.040102',
  source: { manager_id: '01M7YE54NHDYBBYGBYEB9NXS8H' },
  event_data: {},
  ...overrides,
});

describe('the row of an event', () => {
  it('has the type, message and source that the event’s data states, else those of the event', () => {
    const data = {
      message: 'Experiment completed',
      component_name: 'ExperimentManager',
      event_type: 'experiment_complete',
    };
    expect(toEventRow(event({ event_data: data }), () => 5)).toMatchObject({
      at: 5,
      type: 'experiment_complete',
      message: 'Experiment completed',
      source: 'ExperimentManager',
    });
    expect(toEventRow(event({ event_data: 'plain words' }), () => null)).toMatchObject({
      at: null,
      type: 'log_info',
      message: 'plain words',
      source: 'manager …9NXS8H',
    });
    expect(toEventRow(event({ source: {} }), () => 0).source).toBe('');
  });

  it('lists each kind of object that the event is about once, with its page', () => {
    const subjects = extractSubjects(
      event({
        source: { experiment_id: 'X', workflow_id: 'other' },
        event_data: { workflow_id: 'W', step_node: 'arm', resource_id: 'R', location_name: 'deck_1', node: 7 },
      }),
    );
    expect(subjects).toEqual([
      { kind: 'workflow', id: 'W' },
      { kind: 'node', id: 'arm' },
      { kind: 'experiment', id: 'X' },
      { kind: 'resource', id: 'R' },
      { kind: 'location', id: 'deck_1' },
    ]);
    expect(subjects.map(subjectPage)).toEqual([
      { name: 'workflow', params: { id: 'W' } },
      { name: 'node', params: { node: 'arm' } },
      { name: 'experiment', params: { id: 'X' } },
      { name: 'resource', params: { id: 'R' } },
      { name: 'location', params: { id: 'deck_1' } },
    ]);
    expect(extractSubjects(event({ event_data: null }))).toEqual([]);
  });

  it('is found by the objects that it is about', () => {
    expect(subjectSelector({ kind: 'workflow', id: 'W' })).toEqual({
      $or: [{ 'event_data.workflow_id': 'W' }, { 'source.workflow_id': 'W' }],
    });
    expect(subjectSelector({ kind: 'location', id: 'L' })).toEqual({
      $or: [{ 'event_data.location_id': 'L' }, { 'event_data.location_name': 'L' }],
    });
    expect(['resource:R', 'node:a:b', 'plate:P', 'resource:', 'resource', 7].map(parseSubject)).toEqual([
      { kind: 'resource', id: 'R' },
      { kind: 'node', id: 'a:b' },
      null,
      null,
      null,
      null,
    ]);
  });
});

describe('the source of an event with an owner only', () => {
  const getName = (field: string) => (field === 'manager_id' ? 'ExperimentManager' : '');

  it('is the name of the owner', () => {
    expect(toEventRow(event(), () => 5, getName).source).toBe('ExperimentManager');
  });

  it('is the end of an ID without a name', () => {
    expect(toEventRow(event(), () => 5).source).toBe('manager …9NXS8H');
  });
});

it('filterSelectors turns filters into query conditions, except for a source without a name', () => {
  expect(filterSelectors(['action_failed'], ['robotarm_1'])).toEqual([
    { $or: [{ 'event_data.event_type': { $in: ['action_failed'] } }, { event_type: { $in: ['action_failed'] } }] },
    {
      $or: [
        ...['component_name', 'node_name', 'logger'].map((field) => ({
          [`event_data.${field}`]: { $in: ['robotarm_1'] },
        })),
        // Events that only their owner identifies are filtered after they are read.
        { $and: ['component_name', 'node_name', 'logger'].map((field) => ({ [`event_data.${field}`]: null })) },
      ],
    },
  ]);
  expect(filterSelectors([], [])).toEqual([]);
  expect(filterSelectors(['a'], ['node …ABC123'])).toBeNull();
});

describe('the conditions of a text search', () => {
  const conditions = (search: string) =>
    wordSelectors(search) as readonly { readonly $or: readonly Readonly<Record<string, unknown>>[] }[];

  it('contain one condition for each word, which matches in any text field', () => {
    const [lid, arm] = conditions('lid  Arm');
    const pattern = { $regex: 'lid', $options: 'i' };
    expect(lid?.$or).toContainEqual({ 'event_data.message': pattern });
    expect(lid?.$or).toContainEqual({ event_data: pattern });
    expect(lid?.$or).toContainEqual({ 'source.experiment_id': pattern });
    expect(arm?.$or).toContainEqual({ 'event_data.node_name': { $regex: 'arm', $options: 'i' } });
    expect(conditions('')).toEqual([]);
  });

  it('escape special characters', () => {
    const [word] = conditions('a.b(c)');
    expect(word?.$or[0]).toEqual({ _id: { $regex: String.raw`a\.b\(c\)`, $options: 'i' } });
  });

  it('include the log level that a word of the search names', () => {
    expect(conditions('warn')[0]?.$or).toContainEqual({ log_level: { $in: [30] } });
    expect(conditions('lid')[0]?.$or.some((field) => 'log_level' in field)).toBe(false);
  });
});
