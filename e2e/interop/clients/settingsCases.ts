/** The settings that MADSci and this project read alike: files, formats, prefixes, environment, precedence, location. */
import type { SettingsCase } from './settingsCase.ts';
import { valueCases } from './valueCases.ts';

const formats = ['json', 'toml', 'yaml'] as const;
type Format = (typeof formats)[number];

/** Returns the text of a file with one key, in the given format. */
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

const nameOnly = ['manager_name'] as const;
const address = 'http://elsewhere:9001/';

/** Every file with every spelling of a key. */
const spellingCases: readonly SettingsCase[] = formats.flatMap((format) => [
  ...['settings', 'lab.settings'].flatMap((file) =>
    ['manager_name', 'lab_manager_name'].map((key) => ({
      name: `${key} in ${file}.${format}`,
      files: { [`lab/${file}.${format}`]: line(format, key, 'Bench') },
      compare: nameOnly,
    })),
  ),
  ...['settings', 'context.settings'].map((file) => ({
    name: `an address in ${file}.${format}`,
    files: { [`lab/${file}.${format}`]: line(format, 'event_server_url', address) },
    compare: ['event_server_url'],
  })),
  {
    name: `lab_server_url in settings.${format} sets the address of the lab manager and of the context`,
    files: { [`lab/settings.${format}`]: line(format, 'lab_server_url', address) },
    compare: ['server_url', 'lab_server_url'],
  },
]);

const dotenvCases: readonly SettingsCase[] = [
  ...['.env', 'lab.env'].map((file) => ({
    name: `LAB_MANAGER_NAME in ${file}`,
    files: { [`lab/${file}`]: line('env', 'lab_manager_name', 'Bench') },
    compare: nameOnly,
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
  ].map(([what = '', text = '']) => ({ name: `.env with ${what}`, files: { 'lab/.env': text }, compare: nameOnly })),
  {
    name: '.env without the prefix',
    files: { 'lab/.env': 'MANAGER_NAME=Bench' },
    compare: nameOnly,
    differs: { decision: 12, ours: 'Bench' },
  },
];

/** All files that can contain a key, in ascending precedence: each overrides the one before it. */
const filesByRank = formats
  .toReversed()
  .flatMap((format) => ['settings', 'lab.settings'].map((file) => [`${file}.${format}`, format] as const));
const textsByRank: readonly (readonly [file: string, text: string])[] = [
  ...filesByRank.map(([file, format]) => [file, line(format, 'lab_manager_name', file)] as const),
  ...['.env', 'lab.env'].map((file) => [file, line('env', 'lab_manager_name', file)] as const),
];
const precedenceCases: readonly SettingsCase[] = [
  ...textsByRank.slice(1).map(([file, text], index) => {
    const [lower = '', lowerText = ''] = textsByRank[index] ?? [];
    return {
      name: `${file} overrides ${lower}`,
      files: { [`lab/${file}`]: text, [`lab/${lower}`]: lowerText },
      compare: nameOnly,
    };
  }),
  {
    name: 'the environment overrides all files',
    files: Object.fromEntries(textsByRank.map(([file, text]) => [`lab/${file}`, text])),
    env: { lab_Manager_Name: 'environment' },
    compare: nameOnly,
  },
  {
    name: 'an option overrides the environment',
    env: { LAB_MANAGER_NAME: 'e' },
    argv: ['--manager_name', 'o'],
    compare: nameOnly,
  },
  { name: 'an option with =', argv: ['--server_url=http://h:1'], compare: ['server_url'] },
  {
    name: 'the documented option, which has no effect in MADSci',
    argv: ['--lab-manager-name', 'option'],
    compare: nameOnly,
    differs: { decision: 13, ours: 'option' },
  },
  ...formats.map((format) => ({
    name: `an unprefixed key of lower precedence in .${format}, which overrides a prefixed one in MADSci`,
    files: {
      [`lab/lab.settings.${format}`]: line(format, 'lab_manager_name', 'prefixed'),
      [`lab/settings.${format}`]: line(format, 'manager_name', 'unprefixed'),
    },
    compare: nameOnly,
    differs: { decision: 12, ours: 'prefixed' },
  })),
  {
    name: 'both spellings in one file',
    files: { 'lab/settings.yaml': 'manager_name: unprefixed\nlab_manager_name: prefixed\n' },
    compare: nameOnly,
    differs: { decision: 12, ours: 'prefixed' },
  },
];

const yaml = line('yaml', 'lab_manager_name', 'found');
const locationCases: readonly SettingsCase[] = [
  {
    name: 'a file two levels up',
    cwd: 'lab/a/b',
    files: { 'lab/settings.yaml': yaml, 'lab/a/b/': '' },
    compare: nameOnly,
  },
  {
    name: 'the nearest of two files with the same name',
    cwd: 'lab/a',
    files: { 'lab/settings.yaml': yaml, 'lab/a/settings.yaml': line('yaml', 'lab_manager_name', 'near') },
    compare: nameOnly,
  },
  {
    name: 'a separate search for each file name',
    cwd: 'lab/a',
    files: { 'lab/lab.settings.yaml': yaml, 'lab/a/settings.yaml': line('yaml', 'lab_manager_name', 'near') },
    compare: nameOnly,
  },
  ...['.madsci/', '.git/', '.git'].map((boundary) => ({
    name: `the search stops at ${boundary}`,
    cwd: 'lab/a',
    files: { 'lab/settings.yaml': yaml, [`lab/a/${boundary}`]: '' },
    compare: nameOnly,
  })),
  {
    name: 'the folder with the boundary is searched',
    cwd: 'lab/a',
    files: { 'lab/settings.yaml': yaml, 'lab/.madsci/': '', 'lab/a/': '' },
    compare: nameOnly,
  },
  { name: 'the home folder is searched', files: { 'settings.yaml': yaml }, compare: nameOnly },
  ...['managers', 'config'].flatMap((folder) => [
    {
      name: `a file in ${folder}/ of the start folder`,
      files: { [`lab/${folder}/lab.settings.yaml`]: yaml },
      compare: nameOnly,
    },
    {
      name: `a file in ${folder}/ of a parent folder is ignored`,
      cwd: 'lab/a',
      files: { [`lab/${folder}/lab.settings.yaml`]: yaml, 'lab/a/': '' },
      compare: nameOnly,
    },
  ]),
  {
    name: 'the search starts at MADSCI_SETTINGS_DIR',
    files: { 'lab/settings.yaml': line('yaml', 'lab_manager_name', 'here'), 'other/settings.yaml': yaml },
    env: { MADSCI_SETTINGS_DIR: '~/other' },
    compare: nameOnly,
  },
  { name: '.yml files are ignored', files: { 'lab/settings.yml': yaml }, compare: nameOnly },
  {
    name: 'keys in capitals are not recognised',
    files: { 'lab/settings.yaml': 'LAB_MANAGER_NAME: X\n' },
    compare: nameOnly,
  },
];

export const settingsCases: readonly SettingsCase[] = [
  ...spellingCases,
  ...dotenvCases,
  ...precedenceCases,
  ...locationCases,
  ...valueCases,
];
