/** Upload and download of datapoints: values, number series, files. */
import { expect, it } from 'vitest';
import { data, uniqueName, getId, unknownId, fetchRaw, catchRefusal } from './lab.ts';

it('the data manager returns its health and its settings', async () => {
  expect(await data.health()).toMatchObject({ healthy: true, version: '0.8.1' });
  expect(await data.settings({ include_defaults: true })).toHaveProperty('settings.manager_id');
  expect((await fetchRaw('data', 'settings?include_defaults=2')).status).toBe(422);
});

it.each([
  ['an object', { absorbance: 0.42 }],
  ['numbers', [1, 2.5, 3]],
  ['null', null],
  ['a text', 'words'],
])('the data manager stores %s and returns it unchanged', async (_what, value) => {
  const stored = await data.addDatapoint({
    body: { datapoint: { label: uniqueName('value'), data_type: 'json', value } },
  });
  expect(stored.value).toEqual(value);
  expect(await data.getDatapoint({ datapoint_id: getId(stored) })).toEqual(stored);
  const blob = await data.getDatapointValue({ datapoint_id: getId(stored) });
  expect(JSON.parse(await blob.text())).toEqual(value);
});

it('the data manager returns the bytes of a file unchanged', async () => {
  const text = 'well,value\nA1,0.5\n';
  const stored = await data.addDatapoint({
    body: { datapoint: { label: 'plate', data_type: 'file', path: 'plate.csv' } },
    files: { 'plate.csv': new Blob([text], { type: 'text/csv' }) },
  });
  expect(stored).toMatchObject({ label: 'plate', data_type: 'file' });
  const blob = await data.getDatapointValue({ datapoint_id: getId(stored) });
  expect(await blob.text()).toBe(text);
  const response = await fetchRaw('data', `datapoint/${getId(stored)}/value`);
  expect(response.headers.get('content-type')).toContain('text/csv');
  expect(response.headers.has('content-disposition')).toBe(false);
});

it('datapoints are listed newest first and queried in the order of storing', async () => {
  const label = uniqueName('series');
  const ids: string[] = [];
  for (const value of [1, 2, 3])
    ids.push(getId(await data.addDatapoint({ body: { datapoint: { label, data_type: 'json', value } } })));
  expect(Object.keys(await data.getDatapoints({ number: 3 }))).toEqual(ids.toReversed());
  expect(Object.keys(await data.queryDatapoints({ body: { label } }))).toEqual(ids);
  expect(await data.queryDatapoints({ body: { label: unknownId } })).toEqual({});
});

it('the data manager rejects unknown IDs and invalid selectors', async () => {
  const { status, json } = await fetchRaw('data', `datapoint/${unknownId}`);
  expect({ status, json }).toEqual({ status: 404, json: { message: `Datapoint with id ${unknownId} not found.` } });
  expect(await catchRefusal(data.getDatapoint({ datapoint_id: unknownId }))).toMatchObject({
    status: 404,
    reason: `Datapoint with id ${unknownId} not found.`,
  });
  const value = await fetchRaw('data', `datapoint/${unknownId}/value`);
  expect(value).toMatchObject({ status: 500, text: 'Internal Server Error' });
  expect(await catchRefusal(data.addDatapoint({ body: { datapoint: { data_type: 'song' } } }))).toMatchObject({
    status: 500,
  });
  const empty = await fetchRaw('data', 'datapoint', { method: 'POST', body: new FormData() });
  expect(empty.status).toBe(422);
  expect((await fetchRaw('data', 'datapoints?number=x')).status).toBe(422);
  const selector = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '[1]' };
  const broken = await fetchRaw('data', 'datapoints/query', selector);
  expect(broken).toMatchObject({ status: 500, text: 'Internal Server Error' });
});
