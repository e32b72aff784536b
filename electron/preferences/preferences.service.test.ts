import { execFileSync } from 'node:child_process';
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeTempFolder } from '../../server/fixtures/tempFolder.ts';
import { silentLog } from '../../server/logging/log.ts';
import { waitForStateFiles } from '../../server/storage/stateFile.ts';
import { PreferencesFile } from './preferences.ts';

it.skipIf(process.platform === 'win32')(
  'preferences stay in memory when a FIFO is in place of their file',
  async () => {
    await using folder = await makeTempFolder();
    const path = join(folder.path, 'preferences.json');
    execFileSync('mkfifo', [path]);
    const preferences = new PreferencesFile(path, silentLog);
    expect(await preferences.load()).toBe('it is not a file');
    preferences.change({ labFolder: '/lab' });
    await waitForStateFiles();
    expect(preferences.values.labFolder).toBe('/lab');
    expect(lstatSync(path).isFIFO()).toBe(true);
  },
);
