/** Opens a settings file for editing. */
import { existsSync } from 'node:fs';
import { fileReply } from '../../server/settings/edit/messages.ts';
import type { LabService } from '../service/labService.ts';
import { openPath } from '../windows/openExternal.ts';

interface OpenedSettings {
  readonly service: Pick<LabService, 'state'>;
  readonly appPaths: { readonly configDir: string };
}

/** Opens the first file with an error, or the file that settings are saved to; if it doesn't exist, its folder. */
export async function openSettingsFile({ service, appPaths }: OpenedSettings): Promise<void> {
  const { status } = service.state;
  const faultyFile =
    status.phase === 'settings-error' || status.phase === 'running'
      ? (status.problems.find(({ path }) => path !== null)?.path ?? null)
      : null;
  const writableFile = status.phase === 'running' || status.phase === 'port-taken' ? status.settingsTarget : null;
  const target = faultyFile ?? writableFile;
  await openPath(target !== null && existsSync(target) ? target : appPaths.configDir);
}

/** Opens the file of a settings error, by its index. @throws Error with a user-facing message if there is none */
export async function openProblem({ state }: Pick<LabService, 'state'>, index: number): Promise<void> {
  const path = state.status.phase === 'settings-error' ? (state.status.problems[index]?.path ?? null) : null;
  if (path === null) throw new Error('There is no file to open for this problem');
  await openPath(path);
}

/**
 * Opens the file of a setting, as the service reports it.
 * @throws Error with a user-facing message if no file contains it
 */
export async function openSettingFile(service: Pick<LabService, 'requestSettings'>, name: string): Promise<void> {
  const path = fileReply.parse(await service.requestSettings({ kind: 'file', name }));
  if (path === null) throw new Error('This setting is in no file');
  await openPath(path);
}
