/** What is written from the table of settings: the documentation's table and the template file. */
import { expectedWords } from '../parse/expected.ts';
import { envName, fileKeys, optionNames } from '../schema/names.ts';
import { defaultWords } from './report.ts';
import { sections } from '../schema/definition.ts';
import { allSettings, type Setting } from '../schema/table.ts';

const code = (text: string): string => `\`${text}\``;
const cell = (text: string): string => text.replaceAll('|', '\\|');

function tableRow(setting: Setting): string {
  const [key = setting.name] =
    setting.scope === 'contextOnly' ? fileKeys(setting, 'context') : fileKeys(setting, 'lab');
  const variable = envName(setting);
  const [option] = optionNames(setting);
  const restart = setting.needsRestart ? ' Requires restart.' : '';
  const cells = [
    code(key),
    variable === null ? '—' : code(variable),
    option === undefined ? '—' : code(option),
    expectedWords(setting),
    setting.default === null || setting.kind === 'path' ? defaultWords(setting) : code(defaultWords(setting)),
    `${setting.help}.${restart}`,
  ];
  return `| ${cells.map(cell).join(' | ')} |`;
}

/** The settings as Markdown tables, one a section; file key, variable, option, what is allowed, default, meaning. */
export function settingsTableMarkdown(): string {
  const tables = sections.map((section) => {
    const rows = allSettings.filter((setting) => setting.section === section).map(tableRow);
    return [
      `### ${section}`,
      '',
      '| In a file | Environment | Option | Allowed | Default | Meaning |',
      '| --- | --- | --- | --- | --- | --- |',
      ...rows,
    ].join('\n');
  });
  return `${tables.join('\n\n')}\n`;
}

/** A value as YAML on one line: JSON is YAML, and plain where it needn't be quoted. */
function yamlValue(setting: Setting): string {
  const value = setting.default ?? setting.example;
  return typeof value === 'string' && /^[\w./:@ ,-]+$/.test(value) ? value : JSON.stringify(value);
}

function templateEntry(setting: Setting): string {
  const [key = setting.name] = fileKeys(setting, 'lab');
  // Where the default can't be written as a value, the line below is an example.
  const unset = setting.default === null ? ` Default: ${defaultWords(setting)}.` : '';
  return [
    `# ${setting.help}.`,
    `# Allowed: ${expectedWords(setting)}.${unset}`,
    `# ${key}: ${['networks', 'webhooks'].includes(setting.kind) ? setting.example : yamlValue(setting)}`,
  ].join('\n');
}

/** A `lab.settings.yaml` with every setting commented out, at its default or, where there is none, an example. */
export function settingsTemplateYaml(): string {
  const parts = sections.map((section) => {
    const settings = allSettings.filter((setting) => setting.section === section && setting.scope !== 'contextOnly');
    return `# --- ${section} ---\n\n${settings.map(templateEntry).join('\n\n')}`;
  });
  return [
    '# Settings of the lab manager. Take away the # before a line to set it.',
    '# Environment variables and the command line rank above this file; JSON and TOML files do too.',
    '',
    parts.join('\n\n'),
    '',
  ].join('\n');
}
