import { describe, expect, it } from 'vitest';
import { recordId } from '../base/demoManager.ts';
import { Bytes } from '../base/handlers.ts';
import { send, testParts } from '../base/testRequest.ts';
import { createDataManager } from './manager.ts';
import { contentType } from './store.ts';

const failure = { status: 500, body: 'Internal Server Error' };
const owner = '01K5HDZZCF27YHD2WDGSXFPPKA';

function createLab() {
  const parts = testParts();
  return { ...parts, manager: createDataManager(parts) };
}

const form = (datapoint: unknown) => ({ fields: { datapoint: JSON.stringify(datapoint) } });
const file = { filename: 'p.txt', contentType: 'text/plain', bytes: new TextEncoder().encode('hello') };

describe('JSON values', () => {
  it.each([[7], ['text'], [null], [{ ph: 7.2 }], [[1, 2, 3]], [false]])('are stored and served: %j', (value) => {
    const { manager, clock } = createLab();
    const { body } = send(manager, 'addDatapoint', form({ label: 'ph', data_type: 'json', value, extra: 1 }));
    expect(body).toMatchObject({ label: 'ph', data_timestamp: clock.naive(), value, extra: 1 });
    const params = { datapoint_id: recordId(body as { _id: string }) };
    expect(send(manager, 'getDatapointValue', { params }).body).toEqual(value);
    expect(send(manager, 'getDatapoint', { params }).body).toEqual(body);
  });

  it('keep the ID, time and owner of the request', () => {
    const sent = {
      datapoint_id: 'mine',
      data_type: 'json',
      value: 1,
      data_timestamp: '2026-11-20T10:00:00Z',
      ownership_info: { experiment_id: owner, campaign_id: null },
    };
    expect(send(createLab().manager, 'addDatapoint', form(sent)).body).toMatchObject({
      _id: 'mine',
      data_timestamp: '2026-11-20T10:00:00Z',
      ownership_info: { experiment_id: owner },
    });
  });
});

describe('the data manager', () => {
  it('rejects a form without a datapoint, and a datapoint of an unknown type', () => {
    expect(send(createLab().manager, 'addDatapoint', { fields: {} }).status).toBe(422);
    expect(send(createLab().manager, 'addDatapoint', form({ data_type: 'video' })).status).toBe(500);
  });

  it('returns 404 with `message` for an unknown ID, and a plain 500 for its value', () => {
    const params = { datapoint_id: 'X' };
    expect(send(createLab().manager, 'getDatapoint', { params })).toEqual({
      status: 404,
      body: { message: 'Datapoint with id X not found.' },
    });
    expect(send(createLab().manager, 'getDatapointValue', { params })).toEqual(failure);
  });
});

describe('files', () => {
  it('are stored by day and served with a guessed media type', () => {
    const { manager, clock } = createLab();
    const parts = { ...form({ label: 'protocol', data_type: 'file', path: '/home/me/p.txt' }), files: [file] };
    const { body } = send(manager, 'addDatapoint', parts);
    const { _id: id, path } = body as { _id: string; path: string };
    expect(path).toBe(`/demo-lab/.madsci/datapoints/${clock.naive().slice(0, 10).replaceAll('-', '/')}/${id}_p.txt`);
    const value = send(manager, 'getDatapointValue', { params: { datapoint_id: id } }).body as Bytes;
    expect(value).toBeInstanceOf(Bytes);
    expect(value).toMatchObject({ contentType: 'text/plain; charset=utf-8', bytes: file.bytes });
  });

  it('are stored as a path when no content is sent, and nothing is read from the disk', () => {
    const { manager } = createLab();
    const { body } = send(manager, 'addDatapoint', form({ _id: 'p', data_type: 'file', path: '/etc/hostname' }));
    expect(body).toMatchObject({ path: '/etc/hostname' });
    expect(send(manager, 'getDatapointValue', { params: { datapoint_id: 'p' } })).toEqual(failure);
  });

  it.each([
    ['a.CSV', 'text/csv; charset=utf-8'],
    ['archive.zip', 'application/zip'],
    ['README', 'text/plain; charset=utf-8'],
  ])('are served with the media type of their extension: %s, %s', (name, type) => expect(contentType(name)).toBe(type));
});

describe('lists of datapoints', () => {
  it('are sorted newest first, and query results in the order of storing', () => {
    const { manager, clock } = createLab();
    for (const label of ['first', 'second', 'third']) {
      manager.store.add({ label, ownership: { experiment_id: owner }, value: label.length });
      clock.advance(1000);
    }
    const labels = (response: { body: unknown }) =>
      Object.values(response.body as Record<string, { label: string }>).map(({ label }) => label);
    expect(labels(send(manager, 'getDatapoints'))).toEqual(['third', 'second', 'first']);
    expect(labels(send(manager, 'getDatapoints', { query: { number: '1' } }))).toEqual(['third']);
    const body = { 'ownership_info.experiment_id': owner, value: { $lte: 5 } };
    expect(labels(send(manager, 'queryDatapoints', { body }))).toEqual(['first', 'third']);
    expect(send(manager, 'queryDatapoints', { body: [] })).toEqual(failure);
    expect(manager.health()).toMatchObject({ total_datapoints: 3, storage_accessible: true });
  });
});

describe('the store for the workcell', () => {
  it('stores values and files and returns them', () => {
    const { manager } = createLab();
    const value = manager.store.add({ label: 'json_result', ownership: {}, value: { sum: 3 } });
    const bytes = manager.store.add({ label: 'file', ownership: {}, file });
    expect(manager.store.value(value)).toEqual({ sum: 3 });
    expect(manager.store.value(bytes)).toEqual(file.bytes);
    expect(manager.store.value('X')).toBeUndefined();
    expect(manager.settings()).toHaveProperty('manager_type', 'data_manager');
  });
});
