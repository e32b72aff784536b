import { describe, expect, it } from 'vitest';
import { envNames, knownFileKeys, settingOptions } from '../schema/names.ts';
import { unknownEnvironment, unknownFileKeys, unknownOption } from './problem.ts';
import { readEnvironment } from './commandLine.ts';
import { findNearestName } from '#api/nearestName.ts';

describe('findNearestName', () => {
  it.each<[string, readonly string[], string | null]>([
    ['lab_sever_url', knownFileKeys('lab'), 'lab_server_url'],
    ['logLevel', knownFileKeys('lab'), 'log_level'],
    ['event-server-url', knownFileKeys('lab'), 'event_server_url'],
    ['evnt_server_url', knownFileKeys('context'), 'event_server_url'],
    ['LAB_CORS_ORIGINS', envNames, 'LAB_CORS_ALLOWED_ORIGINS'],
    ['LAB_BENCH', envNames, null],
    ['LAB_RATE_LIMIT_REQUEST', envNames, 'LAB_RATE_LIMIT_REQUESTS'],
    ['--lab_dashboard_file_path', settingOptions, '--lab-dashboard-files-path'],
    ['zzzz', knownFileKeys('lab'), null],
  ])('returns $2 for %s', (name, knownNames, expected) => {
    expect(findNearestName(name, knownNames)).toBe(expected);
  });
});

describe('unknownFileKeys', () => {
  const keys = ['evnt_server_url', 'zzzz', 'uvicorn_workers', 'lab_uvicorn_workers'].map((key) => ({
    key,
    raw: { style: 'native', value: 1 } as const,
    line: 1,
    column: 1,
  }));
  it.each([
    ['lab', ['evnt_server_url', 'zzzz']],
    ['context', ['evnt_server_url']],
    ['shared', []],
  ] as const)('returns the unknown keys of %s files', (group, expected) => {
    expect(unknownFileKeys(keys, { group, path: '/f', source: 'yaml' }).map(({ key }) => key)).toEqual(expected);
  });
});

it.each([
  ['LAB_PORT', 'lab_server_url'],
  ['LAB_HOST', 'lab_listen_host'],
  ['LAB_MANAGER_DEFINITION', 'no definition files since 0.7'],
])('the advice for %s names what replaces it', (variable, expected) => {
  expect(unknownEnvironment(variable, envNames)[0]?.expected).toContain(expected);
  expect(unknownOption(`--${variable.toLowerCase()}`, settingOptions).expected).toContain(expected);
  const key = { key: variable.toLowerCase(), raw: { style: 'native', value: 1 }, line: 1, column: 1 } as const;
  expect(unknownFileKeys([key], { group: 'lab', path: '/f', source: 'yaml' })[0]?.expected).toContain(expected);
});

it.each(['shared', 'lab', 'context'] as const)(
  'numbered addresses in %s files and in the environment refer to the recipe',
  (group) => {
    const keys = ['WORKCELL_SERVER_URL_0', 'workcell_server_url_1'].map((key) => {
      return { key, raw: { style: 'native', value: 1 } as const, line: 1, column: 1 };
    });
    const problems = [
      ...unknownFileKeys(keys, { group, path: '/f', source: 'dotenv' }),
      ...readEnvironment({ WORKCELL_SERVER_URL_2: 'http://lab-pc:8105/' }).problems,
    ];
    const expected = expect.stringContaining('several workcells');
    expect(problems).toMatchObject(
      ['WORKCELL_SERVER_URL_0', 'workcell_server_url_1', 'WORKCELL_SERVER_URL_2'].map((key) => ({ key, expected })),
    );
  },
);
