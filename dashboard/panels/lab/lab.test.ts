import { describe, expect, it } from 'vitest';
import type { LabContext } from '#api/lab/lab.ts';
import {
  type SettingsResponse,
  findMixedSources,
  findUnsetAddresses,
  describeMixedSources,
} from '#api/lab/settings.ts';
import { resolveContext } from '#api/hosts.ts';
import { createAddressRows, advertisedHost } from './addressChecks.ts';
import { filterRows, describeOrigin, toSettingRows } from './settingRows.ts';
import { labTexts } from './texts.ts';

const context: LabContext = {
  lab_server_url: 'http://localhost:8000/',
  event_server_url: 'http://127.0.0.1:8001/',
  experiment_server_url: 'http://lab-pc:8002/',
  resource_server_url: null,
  data_server_url: 'nonsense',
  workcell_server_url: 'http://lab-pc:8005/',
  location_server_url: 'http://lab-pc:8006/',
};
const none = { name: null, file: null, line: null };
const response: SettingsResponse = {
  settings: { server_url: 'http://localhost:8000/', log_level: 'INFO', listen_port: null, cors: ['*'] },
  sources: {
    server_url: { source: 'yaml', name: 'lab_server_url', file: 'lab.settings.yaml', line: 3 },
    log_level: { source: 'environment', name: 'LAB_LOG_LEVEL', file: null, line: null },
    listen_port: { ...none, source: 'default' },
  },
};

describe('createAddressRows', () => {
  it('describes whether other machines can use each address, and the setting to change', () => {
    const rows = createAddressRows(context, context, null);
    expect(rows.map(({ reach }) => reach)).toEqual([
      'ownOnly',
      'ownOnly',
      'usable',
      'off',
      'invalid',
      'usable',
      'usable',
    ]);
    expect(rows[0]?.hint).toBe('set LAB_SERVER_URL');
    expect(rows[1]?.hint).toBe('set EVENT_SERVER_URL');
  });

  it('shows the address that this page uses, but the reach of the served one', () => {
    const rows = createAddressRows(context, resolveContext(context, 'lab-pc').context, null);
    expect(rows[1]).toMatchObject({ address: 'http://lab-pc:8001/', reach: 'ownOnly' });
  });

  it('shows that other machines get the advertised host', () => {
    const rows = createAddressRows(context, context, 'bench-1');
    expect(rows[1]).toMatchObject({ reach: 'advertised', hint: 'others get bench-1 (LAB_ADVERTISED_HOST)' });
    expect(advertisedHost({ settings: { advertised_host: 'bench-1' }, sources: {} })).toBe('bench-1');
    expect(advertisedHost({ settings: { advertised_host: null }, sources: {} })).toBeNull();
    expect(advertisedHost(undefined)).toBeNull();
  });
});

describe('the effective settings', () => {
  it('show the source of each value', () => {
    const rows = toSettingRows(response);
    expect(rows.map(({ source }) => source)).toEqual([
      'lab.settings.yaml, line 3: lab_server_url',
      'environment: LAB_LOG_LEVEL',
      'default',
      'unknown',
    ]);
    expect(rows.map(({ value }) => value)).toEqual(['http://localhost:8000/', 'INFO', 'not set', '["*"]']);
    expect(describeOrigin({ ...none, source: 'generated' })).toBe(labTexts.sources.generated);
    expect(describeOrigin({ ...none, source: 'json', file: 'settings.json' })).toBe('settings.json');
  });

  it('are filtered by words in any column and by whether they are set', () => {
    const rows = toSettingRows(response);
    expect(filterRows(rows, 'LINE 3', false).map(({ name }) => name)).toEqual(['server_url']);
    expect(filterRows(rows, '', true).map(({ name }) => name)).toEqual(['server_url', 'log_level']);
    expect(filterRows(rows, 'info yaml', false)).toEqual([]);
  });
});

it('addresses that no source sets are named only in a lab that sets others', () => {
  const [unset, set] = [{ source: 'default' }, { source: 'yaml' }] as const;
  expect(findUnsetAddresses({ event_server_url: set, workcell_server_url: unset, verbose: unset })).toEqual([
    'workcell_server_url',
  ]);
  expect(findUnsetAddresses({ event_server_url: unset, workcell_server_url: unset })).toEqual([]);
  expect(findUnsetAddresses({ event_server_url: set })).toEqual([]);
});

describe('mixed addresses of two labs', () => {
  it('are detected from settings in the user configuration and in the lab’s own files', () => {
    const mixed = findMixedSources({
      event_server_url: { place: 'user' },
      data_server_url: { place: 'lab' },
      manager_name: { place: 'lab' },
      verbose: { place: 'user' },
      workcell_server_url: {},
    });
    expect(mixed && describeMixedSources(mixed)).toBe(
      'event_server_url comes from the user configuration, but data_server_url, manager_name come from the lab’s own files: the addresses may be those of two labs',
    );
    expect(findMixedSources({ event_server_url: { place: 'user' }, manager_name: { place: 'user' } })).toBeNull();
    expect(findMixedSources({ event_server_url: {}, manager_name: { place: 'lab' } })).toBeNull();
  });
});
