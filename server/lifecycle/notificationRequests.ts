/** Handles the shell's requests about notifications: test messages, and the deliveries so far. */
import type { Delivery } from '../../api/lab/lab.ts';
import { readServedSettings } from '../attached/labManagerReader.ts';
import type { LabManager } from '../labManager.ts';
import { sendTest, type TestResult } from '../notifications/sendTest.ts';
import { loadSettings } from '../settings/load/load.ts';
import type { SettingsInputs } from '../settings/schema/types.ts';
import { findInstallation } from '../storage/installation.ts';
import type { ShellMessage } from './messages.ts';

/**
 * Sends a test message to each webhook in the settings on disk.
 * @param manager the lab manager of this process @throws Error with a message for the user
 */
export async function testNotifications(
  inputs: SettingsInputs,
  manager: LabManager | null,
): Promise<readonly TestResult[]> {
  const loaded = await loadSettings(inputs);
  if (!loaded.ok) throw new Error('The settings have errors: correct them first');
  const { version } = findInstallation(import.meta.dirname);
  const lab = manager?.lab?.currentStatus() ?? null;
  return sendTest(loaded.settings, version, lab, (address, result) =>
    manager?.watches?.notifier?.recordTestResult(address, result),
  );
}

/**
 * The deliveries of this process's service, or of the attached one.
 * @throws Error with a message for the user if neither responds
 */
export async function readDeliveries(
  mode: Extract<ShellMessage, { type: 'start' }>['mode'] | null,
  manager: LabManager | null,
): Promise<readonly Delivery[]> {
  if (manager !== null) return manager.watches?.notifier?.deliveries() ?? [];
  if (mode?.kind !== 'attach') throw new Error('The service does not run');
  const response = await readServedSettings(mode.url);
  if (response === null) throw new Error(`The service at ${mode.url} does not respond`);
  return response.deliveries ?? [];
}
