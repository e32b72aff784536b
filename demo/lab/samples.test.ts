/** Compares the demo lab with responses of a real one: the same input gives bodies with the same keys. */
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import type { Location } from '../../api/managers/location.ts';
import { send, testParts } from '../base/testRequest.ts';
import { createDataManager } from '../data/manager.ts';
import { createEventManager } from '../event/manager.ts';
import { createExperimentManager } from '../experiment/manager.ts';
import { createLocationManager } from '../location/manager.ts';
import { createResourceManager } from '../resource/manager.ts';

function readSample(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../../api/samples/${name}.json`, import.meta.url), 'utf8'));
}

const keys = (value: unknown) => Object.keys(value as object).toSorted();

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

function createTestLocationManager() {
  const parts = testParts();
  const manager = createLocationManager(parts, createResourceManager(parts).store);
  stops.push(manager.stop);
  return manager;
}

describe('resources', () => {
  const types = Object.entries(readSample('resource_of_each_type') as Record<string, Record<string, unknown>>);

  /** Sends only amounts and sizes, because the server must fill in the other fields. */
  it.each(types)('have the fields of a real resource of the type %s', (base_type, real) => {
    const manager = createResourceManager(testParts());
    const { columns, rows, layers, capacity } = real;
    const sizes = Object.fromEntries(
      Object.entries({ columns, rows, layers, capacity }).filter(([, size]) => size !== null),
    );
    const { body } = send(manager, 'addResource', { body: { base_type, ...sizes } });
    expect(keys(body)).toEqual(keys(real));
  });

  it('have versions with the fields of a real version', () => {
    const manager = createResourceManager(testParts());
    send(manager, 'addResource', { body: { base_type: 'asset' } });
    const [version] = send(manager, 'queryHistory', { body: {} }).body as unknown[];
    const [real] = readSample('resource_history') as unknown[];
    expect(keys(version)).toEqual(keys(real));
  });
});

describe('transfers of the example lab', () => {
  it('are the ones that the real planner returns', () => {
    const manager = createTestLocationManager();
    const locations = readSample('locations') as Location[];
    send(manager, 'importLocations', { body: locations });
    expect(send(manager, 'getLocations').body).toEqual(locations);
    expect(send(manager, 'getTransferGraph').body).toEqual(readSample('transfer_graph'));
    expect(send(manager, 'getDetailedTransferGraph').body).toEqual(readSample('transfer_graph_detailed'));
    const id = (name: string) => manager.store.byName(name)?.location_id ?? '';
    const query = {
      source_location_id: id('liquidhandler_1.deck_2'),
      target_location_id: id('platereader_1.plate_carriage'),
    };
    const plan = send(manager, 'planTransfer', { query }).body as object;
    expect({ ...plan, workflow_definition_id: '' }).toEqual({
      ...(readSample('transfer_plan') as object),
      workflow_definition_id: '',
    });
  });
});

describe('the keys of responses', () => {
  it('are those of a real lab for locations and their templates', () => {
    const manager = createTestLocationManager();
    const location = send(manager, 'addLocation', { body: { location_name: 'a' } }).body;
    expect(keys(location)).toEqual(keys(readSample('location')));
    for (const [name, file] of [
      ['addRepresentationTemplate', 'representation_template'],
      ['addLocationTemplate', 'location_template'],
    ] as const) {
      expect(keys(send(manager, name, { body: { template_name: 'a' } }).body)).toEqual(keys(readSample(file)));
    }
    expect(keys(send(manager, 'getReconciliationStatus').body)).toEqual(keys(readSample('reconciliation_status')));
  });

  it('are those of a real lab for events, experiments and datapoints', () => {
    const parts = testParts();
    expect(keys(send(createEventManager(parts), 'addEvent', { body: {} }).body)).toEqual(keys(readSample('event')));
    const body = { experiment_design: { experiment_name: 'x' } };
    const experiment = send(createExperimentManager(parts), 'startExperiment', { body }).body;
    expect(keys(experiment)).toEqual(keys(readSample('experiment_started')));
    const file = { filename: 'a.png', contentType: '', bytes: new Uint8Array(7) };
    for (const [datapoint, name] of [
      [{ data_type: 'json', value: 1 }, 'datapoint_json'],
      [{ data_type: 'file', path: 'x' }, 'datapoint_file'],
    ] as const) {
      const fields = { datapoint: JSON.stringify(datapoint) };
      const files = datapoint.data_type === 'file' ? [file] : [];
      const response = send(createDataManager(parts), 'addDatapoint', { fields, files });
      expect(keys(response.body)).toEqual(keys(readSample(name)));
    }
    const data = createDataManager(parts);
    data.store.addObject({ id: 'O', label: 'image.png', at: 0, filename: 'image.png', bytes: new Uint8Array(7) });
    expect(keys(data.store.get('O'))).toEqual(keys(readSample('datapoint_object_storage')));
  });

  it('are those of a real lab for the health of each manager except the workcell manager', () => {
    const parts = testParts();
    const resource = createResourceManager(parts);
    const real = readSample('manager_health') as Record<string, object>;
    const location = createTestLocationManager();
    const managers = {
      event: createEventManager(parts),
      experiment: createExperimentManager(parts),
      resource,
      location,
    };
    for (const [key, manager] of Object.entries({ ...managers, data: createDataManager(parts) })) {
      expect(keys(manager.health()), key).toEqual(keys(real[key]));
    }
  });
});
