/** Every file that a page saves has all digits of the numbers that JavaScript can't hold. */
import { waitFor } from '@testing-library/dom';
import { unzipSync } from 'fflate';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { defineComponent, h, type Component } from 'vue';
import { parseExactJson, stringifyExactJson } from '../../api/exactJson.ts';
import { hostileJson } from '../../api/fixtures/hostileNumbers.ts';
import { formatManagerTime } from '../../api/time/time.ts';
import { recordCanvas } from '../fixtures/recordCanvas.ts';
import { indexById, sampleDatapoint, sampleEvent } from '../fixtures/sampleRecords.ts';
import { localTimeZone, respondAsManagers } from '../fixtures/managerResponses.ts';
import { click, mountComponent, stubTableSize, type Mounted } from '../fixtures/mounted.ts';
import Plot from '../components/plot/Plot.vue';
import DataValue from '../managers/data/DataValue.vue';
import { dataTexts } from '../managers/data/texts.ts';
import { useAddress } from '../managers/transport/clients.ts';
import ZipDialog from '../panels/data/zip/ZipDialog.vue';
import EventsPanel from '../panels/events/EventsPanel.vue';
import { eventsTexts } from '../panels/events/texts.ts';

const savedBlobs: Blob[] = [];
beforeEach(() => {
  recordCanvas();
  stubTableSize();
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    savedBlobs.push(blob as Blob);
    return 'blob:saved';
  });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
});
afterEach(() => {
  vi.runOnlyPendingTimers();
  vi.useRealTimers();
  savedBlobs.length = 0;
  vi.restoreAllMocks();
});

const hostile = parseExactJson(hostileJson) as Record<string, unknown>;
const numbers = [hostile['t_ns'], hostile['code'], hostile['ratio'], hostile['zero'], hostile['digits']];
const withAddress = (component: Component, props: object): Component =>
  defineComponent(() => {
    const address = useAddress('data');
    return () => (address.value === null ? null : h(component, props));
  });
const press = (name: string) => async (page: Mounted['page']) => click(await page.findByRole('button', { name }));
/** The responses of a manager as text, because `Response.json` would change their numbers. */
const exactResponse = (value: unknown) => new Response(stringifyExactJson(value));
const event = sampleEvent('E', {
  event_timestamp: formatManagerTime(new Date(), localTimeZone),
  event_data: { message: 'hostile', ...hostile } as never,
});

it.each<[string, Component, (page: Mounted['page']) => Promise<unknown>]>([
  [
    'the download of a JSON value',
    withAddress(DataValue, { value: hostile, label: 'hostile', file: 'hostile.json' }),
    press(dataTexts.download('hostile.json')),
  ],
  [
    'an archive of datapoints',
    withAddress(ZipDialog, { datapoints: [sampleDatapoint('1', { label: 'hostile', value: hostile as never })] }),
    () => Promise.resolve(),
  ],
  [
    'the lines of events',
    EventsPanel,
    async (page) => {
      await waitFor(() => expect(page.getAllByText('hostile').length).toBeGreaterThan(0));
      await press(eventsTexts.saveNdjson)(page);
    },
  ],
  [
    'the CSV file of a plot',
    withAddress(Plot, { x: { name: 't', values: numbers }, series: [{ name: 'v', values: numbers }], name: 'hostile' }),
    press('CSV'),
  ],
])('%s has all digits', async (_what, component, save) => {
  respondAsManagers({
    data: () => ({}),
    event: ({ path }) => (path === '/events' ? exactResponse(indexById(event)) : {}),
  });
  const { page, unmount } = mountComponent(component);
  await save(page);
  await waitFor(() => expect(savedBlobs).toHaveLength(1));
  const bytes = new Uint8Array((await savedBlobs[0]?.arrayBuffer()) ?? new ArrayBuffer());
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b;
  const files = isZip ? Object.values(unzipSync(bytes)) : [bytes];
  const text = files.map((file) => new TextDecoder().decode(file)).join('\n');
  for (const number of ['1764304800123456789', '340123450000000018', '0.1000000000000000055', '-0.0'])
    expect(text).toContain(number);
  expect(text).toMatch(/\b1\.0\b/);
  // No tag is left.
  expect(text).not.toContain('\uFDD0');
  unmount();
});
