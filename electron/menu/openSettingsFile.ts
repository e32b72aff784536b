/** Opens a settings file for a person to change. */
import { existsSync } from 'node:fs';
import type { Desktop } from '../desktop.ts';
import { openPath } from './openOutside.ts';

/** The first file with an error, or the one that settings are saved to; the folder that it would be in, where there is none. */
export async function openSettingsFile(desktop: Desktop): Promise<void> {
  const { status } = desktop.service.state;
  const broken =
    status.phase === 'settings-error' || status.phase === 'running'
      ? (status.problems.find(({ path }) => path !== null)?.path ?? null)
      : null;
  const saved = status.phase === 'running' || status.phase === 'port-taken' ? status.settingsTarget : null;
  const target = broken ?? saved;
  await openPath(target !== null && existsSync(target) ? target : desktop.appPaths.configDir);
}
