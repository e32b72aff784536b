import { expect, it } from 'vitest';
import { appFolders } from './appFolders.ts';

// On Windows `join` has another separator.
it.skipIf(process.platform === 'win32').each([
  ['linux', {}, null, '/home/x/.config/lab-manager', '/home/x/.config/lab-manager/logs'],
  ['linux', { XDG_CONFIG_HOME: '/c' }, null, '/c/lab-manager', '/c/lab-manager/logs'],
  ['linux', {}, '/profile', '/profile', '/profile/logs'],
  ['darwin', {}, null, '/home/x/Library/Application Support/Lab Manager', '/home/x/Library/Logs/Lab Manager'],
  ['darwin', {}, '/profile', '/profile', '/profile/logs'],
] as const)(
  'appFolders returns the folders on %s with %o and profile %s',
  (platform, env, profile, configDir, logDir) => {
    const preferencesFile = `${configDir}/preferences.json`;
    expect(appFolders(platform, env, '/home/x', profile)).toEqual({ configDir, logDir, preferencesFile });
  },
);
