/** The table of settings that both sides read: files × formats × prefixes × environment × precedence × location. */
import type { SettingsCase } from './settingsCase.ts';
import { valueCases } from './valueCases.ts';

const formats = ['json', 'toml', 'yaml'] as const;
type Format = (typeof formats)[number];

/** One key in one format. */
function line(format: Format | 'env', key: string, value: string): string {
  switch (format) {
    case 'json':
      return JSON.stringify({ [key]: value });
    case 'toml':
      return `${key} = ${JSON.stringify(value)}\n`;
    case 'yaml':
      return `${key}: ${JSON.stringify(value)}\n`;
    case 'env':
      return `${key.toUpperCase()}=${value}\n`;
  }
}

const name = ['manager_name'] as const;
const address = 'http://elsewhere:9001/';

/** Every file in every spelling. */
const spellings: readonly SettingsCase[] = formats.flatMap((format) => [
  ...['settings', 'lab.settings'].flatMap((file) =>
    ['manager_name', 'lab_manager_name'].map((key) => ({
      name: `${key} in ${file}.${format}`,
      files: { [`lab/${file}.${format}`]: line(format, key, 'Bench') },
      compare: name,
    })),
  ),
  ...['settings', 'context.settings'].map((file) => ({
    name: `an address in ${file}.${format}`,
    files: { [`lab/${file}.${format}`]: line(format, 'event_server_url', address) },
    compare: ['event_server_url'],
  })),
  {
    name: `lab_server_url in settings.${format} is the lab's and the context's`,
    files: { [`lab/settings.${format}`]: line(format, 'lab_server_url', address) },
    compare: ['server_url', 'lab_server_url'],
  },
]);

const dotenv: readonly SettingsCase[] = [
  ...['.env', 'lab.env'].map((file) => ({
    name: `LAB_MANAGER_NAME in ${file}`,
    files: { [`lab/${file}`]: line('env', 'lab_manager_name', 'Bench') },
    compare: name,
  })),
  ...['.env', 'context.env'].map((file) => ({
    name: `EVENT_SERVER_URL in ${file}`,
    files: { [`lab/${file}`]: line('env', 'event_server_url', address) },
    compare: ['event_server_url'],
  })),
  ...[
    ['quotes', 'LAB_MANAGER_NAME="Bench four"'],
    ['export', 'export LAB_MANAGER_NAME=Bench'],
    ['a comment', 'LAB_MANAGER_NAME=Bench # four'],
    ['single quotes', "LAB_MANAGER_NAME='${HOME} Bench'"],
    ['interpolation', 'A=Bench\nLAB_MANAGER_NAME=${A}-4'],
    ['a default', 'LAB_MANAGER_NAME=${NOT_THERE:-Bench}'],
    ['spaces', 'LAB_MANAGER_NAME = Bench'],
  ].map(([what = '', text = '']) => ({ name: `.env with ${what}`, files: { 'lab/.env': text }, compare: name })),
  {
    name: '.env without the prefix',
    files: { 'lab/.env': 'MANAGER_NAME=Bench' },
    compare: name,
    differs: { decision: 12, ours: 'Bench' },
  },
];

/** In ascending precedence, all in the same spelling: each overrides the one before it. */
const ranks = formats
  .toReversed()
  .flatMap((format) => ['settings', 'lab.settings'].map((file) => [`${file}.${format}`, format] as const));
const ranked: readonly (readonly [file: string, text: string])[] = [
  ...ranks.map(([file, format]) => [file, line(format, 'lab_manager_name', file)] as const),
  ...['.env', 'lab.env'].map((file) => [file, line('env', 'lab_manager_name', file)] as const),
];
const precedence: readonly SettingsCase[] = [
  ...ranked.slice(1).map(([file, text], index) => {
    const [lower = '', lowerText = ''] = ranked[index] ?? [];
    return {
      name: `${file} beats ${lower}`,
      files: { [`lab/${file}`]: text, [`lab/${lower}`]: lowerText },
      compare: name,
    };
  }),
  {
    name: 'the environment beats all files',
    files: Object.fromEntries(ranked.map(([file, text]) => [`lab/${file}`, text])),
    env: { lab_Manager_Name: 'environment' },
    compare: name,
  },
  {
    name: 'an option beats the environment',
    env: { LAB_MANAGER_NAME: 'e' },
    argv: ['--manager_name', 'o'],
    compare: name,
  },
  { name: 'an option with =', argv: ['--server_url=http://h:1'], compare: ['server_url'] },
  {
    name: 'the documented option does nothing in the real one',
    argv: ['--lab-manager-name', 'option'],
    compare: name,
    differs: { decision: 13, ours: 'option' },
  },
  ...formats.map((format) => ({
    name: `an unprefixed key of lower rank beats a prefixed one in .${format} in the real one`,
    files: {
      [`lab/lab.settings.${format}`]: line(format, 'lab_manager_name', 'prefixed'),
      [`lab/settings.${format}`]: line(format, 'manager_name', 'unprefixed'),
    },
    compare: name,
    differs: { decision: 12, ours: 'prefixed' },
  })),
  {
    name: 'both spellings in one file',
    files: { 'lab/settings.yaml': 'manager_name: unprefixed\nlab_manager_name: prefixed\n' },
    compare: name,
    differs: { decision: 12, ours: 'prefixed' },
  },
];

const yaml = line('yaml', 'lab_manager_name', 'found');
const places: readonly SettingsCase[] = [
  { name: 'a file two levels up', cwd: 'lab/a/b', files: { 'lab/settings.yaml': yaml, 'lab/a/b/': '' }, compare: name },
  {
    name: 'the nearest of a name',
    cwd: 'lab/a',
    files: { 'lab/settings.yaml': yaml, 'lab/a/settings.yaml': line('yaml', 'lab_manager_name', 'near') },
    compare: name,
  },
  {
    name: 'each name on its own',
    cwd: 'lab/a',
    files: { 'lab/lab.settings.yaml': yaml, 'lab/a/settings.yaml': line('yaml', 'lab_manager_name', 'near') },
    compare: name,
  },
  ...['.madsci/', '.git/', '.git'].map((boundary) => ({
    name: `no further than ${boundary}`,
    cwd: 'lab/a',
    files: { 'lab/settings.yaml': yaml, [`lab/a/${boundary}`]: '' },
    compare: name,
  })),
  {
    name: 'a boundary itself is looked at',
    cwd: 'lab/a',
    files: { 'lab/settings.yaml': yaml, 'lab/.madsci/': '', 'lab/a/': '' },
    compare: name,
  },
  { name: 'home is looked at', files: { 'settings.yaml': yaml }, compare: name },
  ...['managers', 'config'].flatMap((folder) => [
    { name: `${folder}/ for the lab`, files: { [`lab/${folder}/lab.settings.yaml`]: yaml }, compare: name },
    {
      name: `${folder}/ only below the start`,
      cwd: 'lab/a',
      files: { [`lab/${folder}/lab.settings.yaml`]: yaml, 'lab/a/': '' },
      compare: name,
    },
  ]),
  {
    name: 'MADSCI_SETTINGS_DIR is the start',
    files: { 'lab/settings.yaml': line('yaml', 'lab_manager_name', 'here'), 'other/settings.yaml': yaml },
    env: { MADSCI_SETTINGS_DIR: '~/other' },
    compare: name,
  },
  { name: '.yml is not looked at', files: { 'lab/settings.yml': yaml }, compare: name },
  { name: 'keys in capitals are others', files: { 'lab/settings.yaml': 'LAB_MANAGER_NAME: X\n' }, compare: name },
];

export const settingsCases: readonly SettingsCase[] = [
  ...spellings,
  ...dotenv,
  ...precedence,
  ...places,
  ...valueCases,
];
