/**
 * Texts of the settings: problems, the effective settings, the help text, the documentation's table, the template file,
 * the JSON schema.
 */
import { programOptions, type ProgramOption } from '../parse/commandLine.ts';
import { expectedText, envName, optionNames, fileKeys } from '../schema/names.ts';
import { formatProblem, redact } from '../parse/problem.ts';
import { sections } from '../schema/definition.ts';
import { allSettings, type Setting } from '../schema/table.ts';
import type { EffectiveSetting, Origin, SettingsResult, DashboardFiles } from '../schema/types.ts';
import * as z from 'zod';
import { plural } from '#api/countText.ts';

function formatOrigin({ source, name, path, line }: Origin): string {
  switch (source) {
    case 'default':
    case 'generated':
      return source;
    case 'registry':
      return `ID registry: ${path}`;
    case 'command line':
    case 'argument':
    case 'environment':
      return `${source}: ${name}`;
    case 'dotenv':
    case 'json':
    case 'toml':
    case 'yaml':
      return `${path}${line === null ? '' : `:${line}`}: ${name}`;
  }
}

function dashboardText(files: DashboardFiles): string {
  switch (files.kind) {
    case 'bundled':
      return 'the bundled dashboard';
    case 'none':
      return 'None';
    case 'directory':
      return files.path;
  }
}

function valueText({ name, value }: EffectiveSetting, dashboard: DashboardFiles): string {
  if (name === 'dashboard_files_path') {
    return dashboardText(dashboard);
  }
  // The value of a secret is already shortened.
  return value === null ? 'None' : redact(null, value);
}

/**
 * The output of `--check-settings`: the effective settings with their origins and the warnings, or all problems. Lines
 * end with LF, except the last.
 */
export function formatEffective(result: SettingsResult): string {
  const warnings = result.warnings.map((problem) => `warning: ${formatProblem(problem)}`);
  if (!result.ok) {
    const count = result.problems.length;
    return [
      ...result.problems.map((problem) => `error: ${formatProblem(problem)}`),
      ...warnings,
      `${plural(count, 'problem')} in the settings`,
    ].join('\n');
  }
  const rows = result.effective.map((setting) => [
    setting.name,
    valueText(setting, result.settings.dashboardFiles),
    formatOrigin(setting.origin),
  ]);
  const width = (column: number) => Math.min(60, Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const [nameWidth, valueWidth] = [width(0), width(1)];
  return [
    ...rows.map(
      ([name = '', value = '', origin = '']) => `${name.padEnd(nameWidth)}  ${value.padEnd(valueWidth)}  ${origin}`,
    ),
    ...warnings,
    result.files.length === 0 ? 'No settings file was found' : `Files read: ${result.files.join(', ')}`,
  ].join('\n');
}

const helpWidth = 100;

/** Wraps a text at spaces to the width of the help, with indented lines. */
function wrapText(text: string, indent: string): string {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && indent.length + last.length + 1 + word.length <= helpWidth) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else {
      lines.push(word);
    }
  }
  return lines.map((line) => indent + line).join('\n');
}

function programHelp(option: ProgramOption): string {
  return `  ${option.names.join(', ')}${option.value === undefined ? '' : ` ${option.value}`}\n${wrapText(option.help, '      ')}`;
}

/** The text of a setting's default, as in `--help` and the documentation. */
export function defaultText(setting: Setting): string {
  if (setting.name === 'dashboard_files_path') {
    return 'the bundled dashboard';
  }
  return setting.default === null ? 'not set' : redact(null, setting.default);
}

function settingHelp(setting: Setting): string {
  const [option, ...others] = optionNames(setting);
  const title = [option, ...others.filter((other) => other !== option?.replaceAll('-', '_').replace('__', '--'))];
  return [
    `  ${title.join(', ')}  (${envName(setting)})`,
    wrapText(`${setting.help}.`, '      '),
    wrapText(`Expects ${expectedText(setting)}. Default: ${defaultText(setting)}.`, '      '),
  ].join('\n');
}

/** The output of `--help`: usage, the program's options, and every setting by section. */
export function helpText(usage: { readonly program: string; readonly usageExtra?: string }): string {
  const bySection = sections.map((section) => {
    const settings = allSettings.filter((setting) => setting.section === section && optionNames(setting).length > 0);
    return `${section}:\n${settings.map(settingHelp).join('\n')}`;
  });
  return [
    `Usage: ${usage.program} [options]${usage.usageExtra === undefined ? '' : `\n${usage.usageExtra}`}`,
    `Options:\n${Object.values(programOptions).map(programHelp).join('\n')}`,
    ...bySection,
    wrapText(
      'Every setting can be given on the command line, in the environment (the name in brackets), or in the files .env, lab.env, settings.yaml, lab.settings.yaml (or .toml, .json), which are searched for from the settings directory upwards. The first of these that sets it counts.',
      '',
    ),
  ].join('\n\n');
}

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
    expectedText(setting),
    setting.default === null || setting.kind === 'path' ? defaultText(setting) : code(defaultText(setting)),
    `${setting.help}.${restart}`,
  ];
  return `| ${cells.map(cell).join(' | ')} |`;
}

/** The settings as Markdown tables, one per section; file key, variable, option, allowed values, default, description. */
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

/** A value as YAML on one line: as JSON, or plain if it needs no quotes. */
function yamlValue(setting: Setting): string {
  const value = setting.default ?? setting.example;
  return typeof value === 'string' && /^[\w./:@ ,-]+$/.test(value) ? value : JSON.stringify(value);
}

function templateEntry(setting: Setting): string {
  const [key = setting.name] = fileKeys(setting, 'lab');
  // Without a default value, the line of the setting contains an example.
  const defaultNote = setting.default === null ? ` Default: ${defaultText(setting)}.` : '';
  return [
    `# ${setting.help}.`,
    `# Allowed: ${expectedText(setting)}.${defaultNote}`,
    `# ${key}: ${['networks', 'webhooks'].includes(setting.kind) ? setting.example : yamlValue(setting)}`,
  ].join('\n');
}

/** A `lab.settings.yaml` with every setting commented out, with its default or, if there is none, an example. */
export function settingsTemplateYaml(): string {
  const parts = sections.map((section) => {
    const settings = allSettings.filter((setting) => setting.section === section && setting.scope !== 'contextOnly');
    return `# --- ${section} ---\n\n${settings.map(templateEntry).join('\n\n')}`;
  });
  return [
    '# Settings of the lab manager. To set a value, remove the # before its line.',
    '# Environment variables and the command line rank above this file; JSON and TOML files do too.',
    '',
    parts.join('\n\n'),
    '',
  ].join('\n');
}

/**
 * JSON schema of the settings by their unprefixed names, for `/settings?include_schema=true`: each property with title,
 * description, default and limits. Its title is that of MADSci's lab manager.
 */
export function settingsSchema(): Record<string, unknown> {
  const shape = Object.fromEntries(
    allSettings.map((setting) => {
      const title = setting.name.replaceAll('_', ' ').replace(/^./, (letter) => letter.toUpperCase());
      return [setting.name, setting.schema.meta({ title, description: setting.help }).default(setting.default)];
    }),
  );
  return { ...z.toJSONSchema(z.object(shape).meta({ title: 'LabManagerSettings' }), { io: 'input' }) };
}
