import { waitFor } from '@testing-library/dom';
import { unzipSync } from 'fflate';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { defineComponent, h } from 'vue';
import { commonTexts } from '#dashboard/base/texts.ts';
import { respondAsManagers, type ManagerResponder } from '#dashboard/fixtures/managerResponses.ts';
import { click, mountComponent } from '#dashboard/fixtures/mounted.ts';
import { sampleDatapoint } from '#dashboard/fixtures/sampleRecords.ts';
import { useAddress } from '#dashboard/managers/transport/clients.ts';
import { zipTexts as texts } from '../texts.ts';
import ZipDialog from './ZipDialog.vue';

const savedBlobs: Blob[] = [];
beforeEach(() => {
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    savedBlobs.push(blob as Blob);
    return 'blob:zip';
  });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue();
});
afterEach(() => {
  savedBlobs.length = 0;
  vi.restoreAllMocks();
});

const file = (id: string, name: string) =>
  sampleDatapoint(id, { data_type: 'file', label: name, path: `/data/${name}` });
/** Shows the dialog once the manager's address is available. */
function openDialog(respond: ManagerResponder, onClose = () => undefined) {
  respondAsManagers({ data: respond });
  const datapoints = [sampleDatapoint('1', { label: 'od', value: 0.4 }), file('2', 'a.csv'), file('3', 'a.csv')];
  return mountComponent(
    defineComponent(() => {
      const address = useAddress('data');
      return () => (address.value === null ? null : h(ZipDialog, { datapoints, onClose }));
    }),
  );
}

it('the archive contains the readable files and a list, and the dialog shows why a file is missing', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  const revoke = vi.spyOn(URL, 'revokeObjectURL');
  const { page, unmount } = openDialog(({ path }) =>
    path === '/datapoint/2/value'
      ? new Response('well,od')
      : Response.json({ detail: 'disk is gone' }, { status: 500 }),
  );
  await waitFor(() => expect(page.getByRole('status').textContent).toContain('3 files'));
  expect(page.getAllByText(texts.missing(1))).toHaveLength(1);
  expect(page.getByRole('listitem').textContent).toMatch(/^a \(2\)\.csv: .*disk is gone/);
  const [blob] = savedBlobs;
  const files = unzipSync(new Uint8Array((await blob?.arrayBuffer()) ?? new ArrayBuffer()));
  const text = (name: string) => new TextDecoder().decode(files[name]);
  expect(Object.keys(files)).toEqual([texts.list, 'od.json', 'a.csv']);
  expect([text('od.json'), text('a.csv')]).toEqual(['0.4', 'well,od']);
  expect(JSON.parse(text(texts.list))).toMatchObject([
    { file: 'od.json', _id: '1' },
    { file: 'a.csv', _id: '2' },
    { file: 'a (2).csv', _id: '3' },
  ]);
  vi.runAllTimers();
  expect(revoke).toHaveBeenCalledWith('blob:zip');
  vi.useRealTimers();
  unmount();
});

it('the dialog shows the progress and stops reading when it is closed', async () => {
  let requestCount = 0;
  const onClose = vi.fn();
  const { page, unmount } = openDialog(() => new Promise(() => (requestCount += 1)), onClose);
  await waitFor(() => expect(requestCount).toBe(1));
  expect(page.getByRole('progressbar').getAttribute('aria-valuemax')).toBe('4');
  await click(page.getByRole('button', { name: commonTexts.cancel }));
  expect(onClose).toHaveBeenCalled();
  unmount();
  await new Promise((resolve) => setTimeout(resolve));
  expect(requestCount).toBe(1);
  expect(savedBlobs).toEqual([]);
});
