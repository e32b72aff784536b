/** Renders the settings table as a guide page with one heading per setting, so that links can target a setting. */
import { defaultText } from '../../server/settings/load/report.ts';
import { expectedText, envName, fileKeys, optionNames } from '../../server/settings/schema/names.ts';
import { sections } from '../../server/settings/schema/definition.ts';
import { allSettings, type Setting } from '../../server/settings/schema/table.ts';

const introduction = `# All settings

Each setting can be given in a file, in the environment or on the command line. In a file the prefix \`lab_\` may be left out.
`;

function escapeMarkdown(text: string): string {
  return text.replaceAll(/[\\`*_[\]<>]/g, String.raw`\$&`);
}

function renderSetting(setting: Setting): string {
  const [key = setting.name] = fileKeys(setting, setting.scope === 'contextOnly' ? 'context' : 'lab');
  const variable = envName(setting);
  const [option] = optionNames(setting);
  const details = [
    ...(variable === null ? [] : [`environment: \`${variable}\``]),
    ...(option === undefined ? [] : [`option: \`${option}\``]),
    `allowed: ${escapeMarkdown(expectedText(setting))}`,
    `default: ${escapeMarkdown(defaultText(setting))}`,
    ...(setting.needsRestart ? ['requires a restart of the service'] : []),
  ];
  return `### ${key}\n\n${escapeMarkdown(setting.help)}.\n\n${details.map((detail) => `- ${detail}`).join('\n')}\n`;
}

export function renderSettingsPage(): string {
  const parts = sections.map((section) => {
    const entries = allSettings.filter((setting) => setting.section === section).map(renderSetting);
    return `## ${section}\n\n${entries.join('\n')}`;
  });
  return [introduction, ...parts].join('\n');
}
