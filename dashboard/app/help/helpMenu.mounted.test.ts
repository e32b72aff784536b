/** The help menu: the sheet of shortcuts, the guide, and pages that the rail does not show. */
import { expect, it, vi } from 'vitest';
import { useUi } from '../../base/ui.ts';
import { click, mountComponent } from '../../fixtures/mounted.ts';
import { appTexts } from '../texts.ts';
import HelpMenu from './HelpMenu.vue';

const texts = appTexts.help;

async function choose(name: string) {
  const mounted = mountComponent(HelpMenu);
  await click(await mounted.page.findByRole('button', { name: texts.button }));
  await click(await mounted.page.findByRole('menuitem', { name }));
  return mounted;
}

it.each([
  ['History and incidents', '/history'],
  ['Utilization of nodes', '/events/utilization'],
  ['Many labs', '/fleet'],
])('“%s” opens %s', async (name, path) => {
  const { router } = await choose(name);
  await vi.waitFor(() => expect(router.currentRoute.value.path).toBe(path));
});

it('opens the sheet of shortcuts', async () => {
  await choose(appTexts.keys.button);
  expect(useUi().keysOpen).toBe(true);
});

it.each([
  ['User guide', /\/help\/index\.html$/],
  ['API documentation', /\/docs$/],
])('“%s” opens in a new tab', async (name, address) => {
  const open = vi.spyOn(window, 'open').mockReturnValue(null);
  await choose(name);
  expect(open).toHaveBeenCalledWith(expect.stringMatching(address), '_blank', 'noreferrer');
  open.mockRestore();
});
