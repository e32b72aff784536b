import { describe, expect, it } from 'vitest';
import { idOf } from '../base/parts.ts';
import { Bytes } from '../base/handling.ts';
import { ask, testParts } from '../base/asking.ts';
import { createDataManager } from './manager.ts';
import { contentType } from './store.ts';

const failure = { status: 500, body: 'Internal Server Error' };
const owner = '01K5HDZZCF27YHD2WDGSXFPPKA';

function lab(objectStorage = false) {
  const parts = testParts();
  return { ...parts, manager: createDataManager(parts, { objectStorage }) };
}

const form = (datapoint: unknown) => ({ fields: { datapoint: JSON.stringify(datapoint) } });
const file = { filename: 'p.txt', contentType: 'text/plain', bytes: new TextEncoder().encode('hello') };

describe('JSON values', () => {
  it.each([[7], ['text'], [null], [{ ph: 7.2 }], [[1, 2, 3]], [false]])('stores and serves %j', (value) => {
    const { manager, clock } = lab();
    const { body } = ask(manager, 'addDatapoint', form({ label: 'ph', data_type: 'json', value, extra: 1 }));
    expect(body).toMatchObject({ label: 'ph', data_timestamp: clock.naive(), value, extra: 1 });
    const params = { datapoint_id: idOf(body as { _id: string }) };
    expect(ask(manager, 'getDatapointValue', { params }).body).toEqual(value);
    expect(ask(manager, 'getDatapoint', { params }).body).toEqual(body);
  });

  it('keeps the ID, time and owner that are sent', () => {
    const sent = {
      datapoint_id: 'mine',
      data_type: 'json',
      value: 1,
      data_timestamp: '2026-11-20T10:00:00Z',
      ownership_info: { experiment_id: owner, campaign_id: null },
    };
    expect(ask(lab().manager, 'addDatapoint', form(sent)).body).toMatchObject({
      _id: 'mine',
      data_timestamp: '2026-11-20T10:00:00+00:00',
      ownership_info: { experiment_id: owner },
    });
  });
});

describe('what is refused', () => {
  it.each([
    ['no form field', { fields: {} }, 422],
    ['bad JSON', { fields: { datapoint: '{' } }, 500],
    ['no type', form({ value: 1 }), 500],
    ['an unknown type', form({ data_type: 'video' }), 500],
    ['a value without one', form({ data_type: 'json' }), 500],
    ['a file without path', { ...form({ data_type: 'file' }), files: [file] }, 500],
    ['an owner that is no ULID', form({ data_type: 'json', value: 1, ownership_info: { user_id: 'me' } }), 422],
  ])('%s', (_what, asked, status) => {
    expect(ask(lab().manager, 'addDatapoint', asked).status).toBe(status);
  });

  it('an unknown ID: 404 with `message`, and a bare 500 for its value', () => {
    const params = { datapoint_id: 'X' };
    expect(ask(lab().manager, 'getDatapoint', { params })).toEqual({
      status: 404,
      body: { message: 'Datapoint with id X not found.' },
    });
    expect(ask(lab().manager, 'getDatapointValue', { params })).toEqual(failure);
  });
});

describe('files', () => {
  it('are stored by day, and served with a guessed type', () => {
    const { manager, clock } = lab();
    const asked = { ...form({ label: 'protocol', data_type: 'file', path: '/home/me/p.txt' }), files: [file] };
    const { body } = ask(manager, 'addDatapoint', asked);
    const { _id: id, path } = body as { _id: string; path: string };
    expect(path).toBe(`/demo-lab/.madsci/datapoints/${clock.naive().slice(0, 10).replaceAll('-', '/')}/${id}_p.txt`);
    const value = ask(manager, 'getDatapointValue', { params: { datapoint_id: id } }).body as Bytes;
    expect(value).toBeInstanceOf(Bytes);
    expect(value).toMatchObject({ contentType: 'text/plain; charset=utf-8', bytes: file.bytes, headers: {} });
  });

  it('become objects in a lab with an object store', () => {
    const { manager } = lab(true);
    const asked = { ...form({ label: 'image.png', data_type: 'file', path: 'a/b.png' }), files: [file] };
    const { body } = ask(manager, 'addDatapoint', asked);
    const { _id: id } = body as { _id: string };
    expect(body).toMatchObject({
      data_type: 'object_storage',
      url: `http:///madsci-data/${id}_image.png`,
      object_name: `${id}_image.png`,
      content_type: 'image/png',
      size_bytes: 5,
      path: 'a/b.png',
    });
    const value = ask(manager, 'getDatapointValue', { params: { datapoint_id: id } }).body;
    expect(value).toMatchObject({ contentType: 'image/png', bytes: file.bytes });
  });

  it('without a file the path is kept, and nothing is read from the disk', () => {
    const { manager } = lab();
    const { body } = ask(manager, 'addDatapoint', form({ _id: 'p', data_type: 'file', path: '/etc/hostname' }));
    expect(body).toMatchObject({ path: '/etc/hostname' });
    expect(ask(manager, 'getDatapointValue', { params: { datapoint_id: 'p' } })).toEqual(failure);
  });

  it.each([
    ['a.CSV', 'text/csv; charset=utf-8'],
    ['archive.zip', 'application/zip'],
    ['README', 'text/plain; charset=utf-8'],
  ])('%s is %s', (name, type) => expect(contentType(name)).toBe(type));
});

describe('lists', () => {
  it('are newest first, and queries in the order of storing', () => {
    const { manager, clock } = lab();
    for (const label of ['first', 'second', 'third']) {
      manager.store.add({ label, ownership: { experiment_id: owner }, value: label.length });
      clock.advance(1000);
    }
    const labels = (answer: { body: unknown }) =>
      Object.values(answer.body as Record<string, { label: string }>).map(({ label }) => label);
    expect(labels(ask(manager, 'getDatapoints'))).toEqual(['third', 'second', 'first']);
    expect(labels(ask(manager, 'getDatapoints', { query: { number: '1' } }))).toEqual(['third']);
    const body = { 'ownership_info.experiment_id': owner, value: { $lt: 6 } };
    expect(labels(ask(manager, 'queryDatapoints', { body }))).toEqual(['first', 'third']);
    expect(ask(manager, 'queryDatapoints', { body: [] })).toEqual(failure);
    expect(manager.health()).toMatchObject({ total_datapoints: 3, storage_accessible: true });
  });
});

describe('the store for the workcell', () => {
  it('takes values and files and gives them back', () => {
    const { manager } = lab();
    const value = manager.store.add({ label: 'json_result', ownership: {}, value: { sum: 3 } });
    const bytes = manager.store.add({ label: 'file', ownership: {}, file });
    expect(manager.store.value(value)).toEqual({ sum: 3 });
    expect(manager.store.value(bytes)).toEqual(file.bytes);
    expect(manager.store.value('X')).toBeUndefined();
    expect(manager.settings.values()).toHaveProperty('manager_type', 'data_manager');
  });
});
