/** Compares the installer that this project compiles with the one of electron-builder. */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Arch, build, Platform } from 'electron-builder';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { appId } from '../../electron/folders/appId.ts';
import { installerDefinitions, installerName, sharedDefinitions, windowsNames } from '../windows/names.mjs';
import { electronBuilderOptions, writeBuilderInclude } from './windowsInstaller.mjs';

const root = join(import.meta.dirname, '..', '..');
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'installer-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

type Definitions = Readonly<Record<string, unknown>>;

/** The definitions and commands that electron-builder passes to NSIS. */
async function builderDefinitions(): Promise<readonly Definitions[]> {
  // A replacement of the archiver that packs nothing, because only the name of the archive is checked.
  const archiver = join(folder, '7za');
  writeFileSync(archiver, '#!/bin/sh\nfor name; do case $name in *.7z) : > "$name";; esac; done\n');
  chmodSync(archiver, 0o755);
  vi.stubEnv('ELECTRON_BUILDER_7ZIP_PATH', archiver);
  const app = join(folder, 'app');
  mkdirSync(join(app, 'resources'), { recursive: true });
  const { win, nsis } = electronBuilderOptions(writeBuilderInclude(root, folder));
  const passedArguments: Definitions[] = [];
  await build({
    projectDir: root,
    prepackaged: app,
    publish: 'never',
    targets: Platform.WINDOWS.createTarget('nsis', Arch.x64),
    config: {
      appId,
      productName: windowsNames.productName,
      executableName: 'lab-manager',
      electronVersion: '33.2.1',
      directories: { output: folder, buildResources: 'build' },
      publish: null,
      win: { ...win, icon: null },
      nsis: { ...nsis, packElevateHelper: false, differentialPackage: false },
    },
    effectiveOptionComputed: async (options) => {
      passedArguments.push(...(options as Definitions[]));
      return true;
    },
  });
  return passedArguments;
}

// The replacement of the archiver is a shell script.
it.skipIf(process.platform === 'win32')("electron-builder's installer has the same names and IDs", async () => {
  const [definitions, commands] = await builderDefinitions();
  const { APP_ID, ...names } = await installerDefinitions(root);
  expect(APP_ID).toBe(appId);
  expect(definitions).toMatchObject({ APP_ID, ...names });
  expect(definitions).toMatchObject({
    UNINSTALL_APP_KEY: windowsNames.guid,
    APP_INSTALLER_STORE_FILE: `${sharedDefinitions().INSTALLER_CACHE}\\installer.exe`,
    DO_NOT_CREATE_DESKTOP_SHORTCUT: null,
    INSTALL_MODE_PER_ALL_USERS_REQUIRED: null,
    MULTIUSER_INSTALLMODE_ALLOW_ELEVATION: null,
  });
  expect(definitions).not.toHaveProperty('MENU_FILENAME');
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  expect(commands).toMatchObject({ OutFile: `"${join(folder, installerName(version))}"` });
});
