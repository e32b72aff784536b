/** `GET /settings`: the settings in effect and the origin of each, by file name and line. */
import type { RequestHandler } from 'express';
import { posix, win32 } from 'node:path';
import type { SettingsResponse } from '../../api/lab/settings.ts';
import type { LabManagerIdentity } from '../identity/labIdentity.ts';
import { parseBooleanQuery } from '../http/queryParameters.ts';
import { sendJsonText } from '../http/jsonText.ts';
import type { Notifier } from '../notifications/notifier.ts';
import { settingsSchema } from '../settings/load/report.ts';
import type { EffectiveSetting } from '../settings/schema/types.ts';

export interface SettingsParts {
  readonly identity: LabManagerIdentity;
  readonly watches: { readonly notifier: Notifier | null };
}

export function settingsHandler({ identity, watches }: SettingsParts): RequestHandler {
  return (request, response) => {
    const query = new URL(request.url, 'http://localhost').searchParams;
    const defaults = parseBooleanQuery(query, 'include_defaults', true);
    const schema = parseBooleanQuery(query, 'include_schema', false);
    const problems = [defaults, schema].flatMap((result) => (result.ok ? [] : [result.problem]));
    if (!defaults.ok || !schema.ok) return void response.status(422).json({ detail: problems });
    const { report, effective } = identity;
    const channels = watches.notifier?.deliveries() ?? [];
    const displayed = effective.filter((setting) => defaults.value || !setting.isDefault);
    const body: SettingsResponse = {
      settings: Object.fromEntries(displayed.map((setting) => [setting.name, publicValue(setting)])),
      ...(schema.value ? { schema: settingsSchema(), schema_title: 'LabManagerSettings' } : {}),
      sources: Object.fromEntries(displayed.map((setting) => [setting.name, publicOrigin(setting)])),
      ...(report === undefined ? {} : { identity: report }),
      ...(channels.length === 0 ? {} : { deliveries: [...channels] }),
    };
    return sendJsonText(request, response, JSON.stringify(body));
  };
}

const pathNames: ReadonlySet<string> = new Set(['dashboard_files_path', 'tls_cert_file', 'tls_key_file']);

/** Replaces a full path by its last name, because other machines can read the value; a relative path stays unchanged. */
function publicValue({ name, value }: EffectiveSetting): unknown {
  if (!pathNames.has(name) || typeof value !== 'string') return value;
  if (posix.isAbsolute(value)) return posix.basename(value);
  return win32.isAbsolute(value) || /^[a-z]:/i.test(value) ? win32.basename(value) : value;
}

/** Removes the full path of the file, which only the app's windows on this machine may show. */
function publicOrigin({ origin }: EffectiveSetting): SettingsResponse['sources'][string] {
  const { path: _path, ...publicFields } = origin;
  return publicFields;
}
