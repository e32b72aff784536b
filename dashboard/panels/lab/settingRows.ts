/** Effective settings as rows: name, value and origin. */
import { wordFilter } from '../../base/texts.ts';
import type { SettingOrigin, SettingsResponse } from '#api/lab/settings.ts';
import { labTexts } from './texts.ts';
import { formatJson } from '#api/exactJson.ts';

export interface SettingRow {
  readonly name: string;
  readonly value: string;
  readonly source: string;
  /** Whether the value is configured: not a default, generated at start, or from the ID registry. */
  readonly isSet: boolean;
}

/** `lab.settings.yaml, line 3: lab_server_url`, `environment: LAB_LOG_LEVEL`, `default`. */
export function describeOrigin(origin: SettingOrigin | undefined): string {
  if (origin === undefined) return 'unknown';
  const kind = labTexts.sources[origin.source];
  if (origin.source === 'default' || origin.source === 'generated') return kind;
  const source =
    origin.file === null ? kind : origin.line === null ? origin.file : `${origin.file}, line ${origin.line}`;
  return origin.name === null ? source : `${source}: ${origin.name}`;
}

/** Formats a value in one line: text unchanged, an empty value as `none`, others as JSON. */
function formatValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'not set';
  return formatJson(value);
}

export function toSettingRows(response: SettingsResponse): SettingRow[] {
  return Object.entries(response.settings).map(([name, value]) => {
    const origin = response.sources[name];
    const isSet = origin !== undefined && !['default', 'generated', 'registry'].includes(origin.source);
    return { name, value: formatValue(value), source: describeOrigin(origin), isSet };
  });
}

/** Returns the rows that contain every word of `search` in any column; with `onlySet`, only configured ones. */
export function filterRows(rows: readonly SettingRow[], search: string, onlySet: boolean): SettingRow[] {
  const matches = wordFilter(search);
  return rows.filter((row) => (!onlySet || row.isSet) && matches(`${row.name} ${row.value} ${row.source}`));
}
