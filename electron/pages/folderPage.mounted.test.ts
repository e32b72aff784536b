import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { click, fill, mountComponent } from '#dashboard/fixtures/mounted.ts';
import type { PageCommand } from '../ipc/commands.ts';
import FolderPage from './FolderPage.vue';
import { clearErrors } from './host/requests.ts';
import { folderTexts as texts } from './parts/texts.ts';

let listsFolders: boolean;
let usedPaths: string[];

function respond(command: PageCommand) {
  if (command.command === 'use-folder') {
    usedPaths.push(command.path);
    return { ok: true, value: false };
  }
  if (!listsFolders) return { ok: false, error: 'The lab manager service is not running' };
  return { ok: true, value: { path: '/labs', parent: '/', folders: [], files: [], lab: null } };
}

beforeEach(() => {
  [listsFolders, usedPaths] = [true, []];
  clearErrors();
  Object.assign(window, { labManagerShell: { request: async (command: PageCommand) => respond(command) } });
});
afterEach(() => Reflect.deleteProperty(window, 'labManagerShell'));

describe('the chooser of the lab’s folder', () => {
  it('uses the listed folder', async () => {
    const { page } = mountComponent(FolderPage, {});
    await expect
      .poll(() => page.queryByRole('status')?.textContent)
      .toBe(
        'This folder has no settings of a lab yet. The app creates lab.settings.yaml in it when you save settings.',
      );
    await click(page.getByRole('button', { name: texts.useThis }));
    expect(usedPaths).toEqual(['/labs']);
  });

  it('uses the entered path while the service lists no folders', async () => {
    listsFolders = false;
    const { page } = mountComponent(FolderPage, {});
    await expect.poll(() => page.queryByRole('alert')?.textContent).toContain('not running');
    await click(page.getByRole('button', { name: texts.useThis }));
    expect(usedPaths).toEqual([]);
    await fill(page.getByRole('textbox', { name: texts.path }), '/labs/bench ');
    await click(page.getByRole('button', { name: texts.useThis }));
    expect(usedPaths).toEqual(['/labs/bench']);
  });
});
