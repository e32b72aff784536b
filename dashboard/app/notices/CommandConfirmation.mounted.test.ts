/** Tests a dialog whose state has changed, the confirmation above it, and the request that is sent. */
import { fireEvent, within } from '@testing-library/dom';
import { defineComponent, h } from 'vue';
import { describe, expect, it, vi } from 'vitest';
import { componentTexts } from '../../components/texts.ts';
import { respondAsManagers } from '../../fixtures/managerResponses.ts';
import { click, mountComponent } from '../../fixtures/mounted.ts';
import { indexById, sampleEvent } from '../../fixtures/sampleRecords.ts';
import ArchiveDialog from '../../panels/events/ArchiveDialog.vue';
import { eventsTexts } from '../../panels/events/texts.ts';
import CommandConfirmation from './CommandConfirmation.vue';

const texts = eventsTexts.archive;

/** The dialog has counted one event; then there are two events, or the manager fails. */
async function submitArchiving(isReadable: boolean) {
  let events: unknown = indexById(sampleEvent('A'));
  const requests = respondAsManagers({
    event: ({ method }) => (method === 'POST' ? { archived_count: 2 } : events),
  });
  const onClose = vi.fn();
  const { page } = mountComponent(
    defineComponent(() => () => [h(ArchiveDialog, { mode: 'before', ids: [], onClose }), h(CommandConfirmation)]),
  );
  await vi.waitFor(() => expect(page.getAllByText(texts.countNow(1))).toHaveLength(1));
  events = isReadable
    ? indexById(sampleEvent('A'), sampleEvent('B'))
    : Response.json({ detail: 'no' }, { status: 503 });
  const form = page.getByRole('button', { name: texts.action }).closest('form');
  if (form === null) throw new Error('The button is in no form.');
  fireEvent.submit(form);
  const title = isReadable ? `The state has changed. ${texts.title}?` : 'Could not check. Send anyway?';
  const confirmation = await vi.waitFor(() => within(page.getByRole('alertdialog', { name: title })));
  // The test of all commands covers the record in the event log.
  const sentRequests = () => requests.filter(({ method, path }) => method === 'POST' && path !== '/event');
  expect(sentRequests()).toEqual([]);
  return { confirmation, sentRequests, onClose };
}

describe('the confirmation of a command whose state has changed', () => {
  it('shows the difference and sends nothing when the user cancels', async () => {
    const { confirmation, sentRequests, onClose } = await submitArchiving(true);
    expect(confirmation.getAllByText(texts.counted(1, 2))).toHaveLength(1);
    await click(confirmation.getByRole('button', { name: componentTexts.confirm.back }));
    await vi.waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(sentRequests()).toEqual([]);
  });

  it('sends the command once when the user confirms', async () => {
    const { confirmation, sentRequests, onClose } = await submitArchiving(true);
    await click(confirmation.getByRole('button', { name: 'Send anyway' }));
    await vi.waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(sentRequests()).toMatchObject([{ path: '/events/archive' }]);
  });

  it('can send the command when the state can’t be read', async () => {
    const { confirmation, sentRequests } = await submitArchiving(false);
    await click(confirmation.getByRole('button', { name: 'Send anyway' }));
    await vi.waitFor(() => expect(sentRequests()).toMatchObject([{ path: '/events/archive' }]));
  });
});
