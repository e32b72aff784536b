/** The confirmation before the first command to a manager whose address no source sets. */
import { defineComponent, h } from 'vue';
import { beforeEach, expect, it, vi } from 'vitest';
import CommandConfirmation from './CommandConfirmation.vue';
import { componentTexts } from '../../components/texts.ts';
import { respondAsManagers } from '../../fixtures/managerResponses.ts';
import { click, mountComponent } from '../../fixtures/mounted.ts';
import { useLabHistory } from '../../managers/lab/labQueries.ts';
import { noPremise } from '../../managers/commands/premise.ts';
import { addressTexts } from '../../managers/commands/texts.ts';
import { useCommandToAll } from '../../managers/commands/nodeCommands.ts';
import { useCommand } from '../../managers/commands/useCommand.ts';

beforeEach(() => localStorage.clear());
/** Mounts the common dialog; `event` has a default address, `workcell` as well if `workcellIsUnset`. */
async function mountCommands(workcellIsUnset = false) {
  const requests = respondAsManagers(
    { workcell: () => ({ success: true, errors: [] }) },
    { event: {}, workcell: {} },
    undefined,
    workcellIsUnset ? ['event', 'workcell'] : ['event'],
  );
  const run = vi.fn(async () => ({}));
  let act!: ReturnType<typeof useCommand>;
  let toAll!: ReturnType<typeof useCommandToAll>;
  let history!: ReturnType<typeof useLabHistory>;
  const { page } = mountComponent(
    defineComponent(() => {
      [act, toAll, history] = [useCommand(), useCommandToAll(), useLabHistory()];
      return () => h(CommandConfirmation);
    }),
  );
  await vi.waitFor(() => expect(history.data.value?.unset_addresses).toContain('event'));
  const send = (manager: 'event' | 'workcell') =>
    act({
      commandText: 'Archive',
      verb: 'Archive',
      target: { kind: 'event', id: 'E', name: 'E' },
      manager,
      premise: noPremise,
      run,
      interpretResponse: () => 'Done.',
    });
  const findDialog = (manager: 'event' | 'workcell' = 'event') =>
    vi.waitFor(() => page.getByRole('alertdialog', { name: addressTexts.title(manager) }));
  return { page, run, send, findDialog, toAll, requests };
}

it('the first command to a default address requires one confirmation, which concurrent and later commands share', async () => {
  const { page, run, send, findDialog } = await mountCommands();
  const sent = [send('event'), send('event')];
  const dialog = await findDialog();
  expect(dialog.textContent).toContain(addressTexts.unset('http://event.lab.example:8000/'));
  expect(run).not.toHaveBeenCalled();
  await click(page.getByRole('button', { name: 'Confirm and send' }));
  await Promise.all(sent);
  await send('event');
  expect(run).toHaveBeenCalledTimes(3);
  expect(page.queryByRole('alertdialog')).toBeNull();
});

it('a command to a default address is not sent if the user cancels, and the next one requires the confirmation again', async () => {
  const { page, run, send, findDialog } = await mountCommands();
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const sent = send('event');
    await findDialog();
    await click(page.getByRole('button', { name: componentTexts.confirm.back }));
    expect(await sent).toBeNull();
  }
  expect(run).not.toHaveBeenCalled();
});

it('a command to a manager whose address is set requires no confirmation of the address', async () => {
  const { run, send } = await mountCommands();
  await send('workcell');
  expect(run).toHaveBeenCalledOnce();
});

it('a command to all nodes of a workcell manager at a default address requires one confirmation', async () => {
  const { page, toAll, findDialog, requests } = await mountCommands(true);
  const sent = toAll.send('lock', ['arm', 'reader'], []);
  await findDialog('workcell');
  await click(page.getByRole('button', { name: componentTexts.confirm.back }));
  await sent;
  expect([toAll.reports.value, requests.filter(({ method }) => method === 'POST')]).toEqual([[], []]);
});
