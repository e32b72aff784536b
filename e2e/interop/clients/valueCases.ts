/** The cases about values: how each kind is read, and which values are refused. */
import { defaultPorts, serviceKeys } from '#api/managers.ts';
import type { SettingsCase } from './settingsCase.ts';

/** Returns the case of one environment variable. */
function env(key: string, value: string, differs?: SettingsCase['differs']): SettingsCase {
  const variable = key.endsWith('_server_url') ? key.toUpperCase() : `LAB_${key.toUpperCase()}`;
  return {
    name: `${variable}=${value}`,
    env: { [variable]: value },
    compare: [key],
    ...(differs === undefined ? {} : { differs }),
  };
}

const booleans = ['true', 'False', '1', '0', 'yes', 'NO', 'on', 'off', 't', 'f'].map((text) =>
  env('rate_limit_enabled', text),
);

/** Addresses that are read in the form of the URL standard. */
const addresses = [
  'http://localhost:8001',
  'http://h:8001/x',
  'http://h:8001/a/b/',
  'HTTP://LocalHost:80',
  'https://h:443/a/',
  'http://127.0.0.1:08001',
  'http://h/../x',
  'http://hé:1',
].map((url) => env('data_server_url', url));

const none: readonly SettingsCase[] = [
  env('rate_limit_short_requests', 'null', { decision: 14, ours: null }),
  env('rate_limit_short_requests', '', { decision: 14, ours: null }),
  env('manager_name', 'None', { decision: 14, ours: null }),
  env('data_server_url', 'none', { decision: 14, ours: null }),
  {
    name: 'null in YAML',
    files: { 'lab/settings.yaml': 'lab_manager_name: null\nrate_limit_short_window: ~\n' },
    compare: ['manager_name', 'rate_limit_short_window'],
  },
  {
    name: 'null in JSON',
    files: { 'lab/settings.json': '{"event_server_url": null}' },
    compare: ['event_server_url'],
  },
];

const lists: readonly SettingsCase[] = [
  env('rate_limit_exempt_ips', '["10.0.0.1", "10.0.0.2"]'),
  env('rate_limit_exempt_ips', '[]'),
  {
    name: 'a list in TOML',
    files: { 'lab/settings.toml': 'rate_limit_exempt_ips = ["10.0.0.1"]\n' },
    compare: ['rate_limit_exempt_ips'],
  },
];

const defaults: readonly SettingsCase[] = [
  {
    name: 'nothing set',
    compare: ['server_url', 'manager_name', 'manager_description', 'rate_limit_enabled', 'rate_limit_requests'],
  },
  {
    name: 'nothing set, other limits',
    compare: ['rate_limit_window', 'rate_limit_short_requests', 'rate_limit_short_window', 'rate_limit_exempt_ips'],
  },
  ...serviceKeys.map((key) => ({
    name: `no address of the ${key} manager`,
    compare: [`${key}_server_url`],
    differs: { decision: 1, ours: `http://localhost:${defaultPorts[key]}/` },
  })),
];

/** Values with which both refuse to start, or only ours: clients append paths, so ours accepts fewer addresses. */
const refused: readonly SettingsCase[] = [
  env('rate_limit_requests', '12.5'),
  env('rate_limit_requests', '0'),
  env('rate_limit_enabled', 'perhaps'),
  env('data_server_url', '//h:1'),
  env('data_server_url', 'http://h:99999'),
  env('data_server_url', 'http://h:8001?x=1', { decision: 1, ours: 'refused' }),
  env('data_server_url', 'http://me:secret@h:1/', { decision: 1, ours: 'refused' }),
  env('data_server_url', 'ftp://h:1/', { decision: 1, ours: 'refused' }),
  {
    name: 'a broken JSON file',
    files: { 'lab/settings.json': '{"lab_manager_name": ' },
    compare: ['manager_name'],
  },
  { name: 'a broken TOML file', files: { 'lab/settings.toml': 'lab_manager_name = ' }, compare: ['manager_name'] },
  { name: 'a YAML file that is a list', files: { 'lab/settings.yaml': '- a\n- b\n' }, compare: ['manager_name'] },
];

export const valueCases: readonly SettingsCase[] = [
  ...booleans,
  env('rate_limit_requests', '15'),
  {
    name: 'a number in YAML',
    files: { 'lab/lab.settings.yaml': 'rate_limit_requests: 12\n' },
    compare: ['rate_limit_requests'],
  },
  { name: 'an empty YAML file', files: { 'lab/settings.yaml': '' }, compare: ['manager_name'] },
  ...addresses,
  ...none,
  ...lists,
  ...defaults,
  ...refused,
];
