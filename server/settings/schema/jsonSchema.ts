/** The settings as JSON schema. */
import * as z from 'zod';
import { allSettings } from './table.ts';

/**
 * JSON schema of the settings by their unprefixed names, for `/settings?include_schema=true`: each property with title,
 * description, default and bounds. Titled as the real service's.
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
