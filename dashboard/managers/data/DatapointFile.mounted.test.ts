/** Tests the file of a datapoint: its preview, its size limits, and its download. */
import { waitFor } from '@testing-library/dom';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { defineComponent, h } from 'vue';
import { recordCanvas } from '../../fixtures/recordCanvas.ts';
import { respondAsManagers } from '../../fixtures/managerResponses.ts';
import { click, mountComponent } from '../../fixtures/mounted.ts';
import { sampleDatapoint } from '../../fixtures/sampleRecords.ts';
import { useAddress } from '../transport/clients.ts';
import DatapointFile from './DatapointFile.vue';
import { dataTexts as texts } from './texts.ts';

beforeEach(() => {
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:image');
});
/** Renders once the manager's address is known, as on every page that shows a datapoint. */
const FileHost = defineComponent({
  inheritAttrs: false,
  setup(_props, { attrs }) {
    const address = useAddress('data');
    return () => (address.value === null ? null : h(DatapointFile, attrs as never));
  },
});
const showFile = (name: string, respond: () => unknown, overrides: object = {}, props: object = {}) => {
  const requests = respondAsManagers({ data: respond });
  const datapoint = sampleDatapoint('01D', { data_type: 'file', path: `/data/${name}`, ...overrides });
  return { ...mountComponent(FileHost, { datapoint, name, ...props }), requests };
};
const bytes = (text: string, size = text.length) =>
  new Response(text, { headers: { 'content-length': String(size), 'content-type': 'application/octet-stream' } });

describe('the file of a datapoint', () => {
  it('is shown up to a limit when its text is long', async () => {
    const { page } = showFile('run.log', () => bytes('x'.repeat(70_000)));
    await waitFor(() => expect(page.getAllByRole('button', { name: texts.preview })).toHaveLength(1));
    await click(page.getByRole('button', { name: texts.preview }));
    await waitFor(() => expect(page.getByText(/^x+$/).textContent).toHaveLength(64_000));
    expect(page.getAllByText(texts.tooLong('64 kB'))).toHaveLength(1);
    await click(page.getByRole('button', { name: texts.hide }));
    expect(page.queryByText(/^x+$/)).toBeNull();
  });

  it('is shown as a table when it is a CSV file', async () => {
    const { page } = showFile('plate.csv', () => bytes('well;od\nA1;0.4\nA2;0.5\n'));
    await waitFor(() => expect(page.getAllByRole('button', { name: texts.previewTable })).toHaveLength(1));
    await click(page.getByRole('button', { name: texts.previewTable }));
    await waitFor(() =>
      expect(page.getAllByRole('columnheader').map((cell) => cell.textContent)).toEqual(['well', 'od']),
    );
    expect(page.getAllByRole('cell').map((cell) => cell.textContent)).toEqual(['A1', '0.4', 'A2', '0.5']);
  });

  it('is shown as text up to its limit when it is a table that can’t be read', async () => {
    const { page } = showFile('plate.csv', () => bytes(`${'x'.repeat(70_000)}\0`));
    await waitFor(() => expect(page.getAllByRole('button', { name: texts.previewTable })).toHaveLength(1));
    await click(page.getByRole('button', { name: texts.previewTable }));
    await waitFor(() => expect(page.getByText(/^x+/).textContent).toHaveLength(64_000));
    expect(page.getAllByText(texts.tooLong('64 kB'))).toHaveLength(1);
  });

  it('is plotted when it is a CSV file with numbers', async () => {
    const { page } = showFile('growth.csv', () => bytes('time,od\n0,0.1\n1,0.2\n2,0.4\n'));
    await waitFor(() => expect(page.getAllByRole('button', { name: texts.previewTable })).toHaveLength(1));
    await click(page.getByRole('button', { name: texts.previewTable }));
    await waitFor(() => expect(page.getAllByRole('button', { name: texts.plot })).toHaveLength(1));
    recordCanvas();
    await click(page.getByRole('button', { name: texts.plot }));
    expect(page.queryByRole('columnheader')).toBeNull();
    expect(page.getByRole('button', { name: texts.plot }).getAttribute('aria-pressed')).toBe('true');
  });

  it('is shown at once on its own page, a series as a plot, unless it is large', async () => {
    recordCanvas();
    const { page } = showFile('growth.csv', () => bytes('time,od\n0,0.1\n1,0.2\n2,0.4\n'), {}, { immediate: true });
    const plot = await waitFor(() => page.getByRole('button', { name: texts.plot }));
    expect(plot.getAttribute('aria-pressed')).toBe('true');
    const log = showFile('run.log', () => bytes('started'), {}, { immediate: true });
    await waitFor(() => expect(log.page.getAllByText('started')).toHaveLength(1));
    const large = showFile('all.log', () => bytes('x'), { size_bytes: 70_000 }, { immediate: true });
    await waitFor(() => expect(large.page.getAllByRole('button', { name: texts.preview })).toHaveLength(1));
    expect(large.requests.filter(({ path }) => path.endsWith('/value'))).toEqual([]);
  });

  it('is shown at once when it is an image, and zoomed by buttons and keys', async () => {
    const { page } = showFile('gel.png', () => bytes('PNG'));
    const image = await waitFor(() => page.getByRole('img', { name: 'gel.png' }));
    expect(image.getAttribute('src')).toBe('blob:image');
    await click(page.getByRole('button', { name: 'Larger' }));
    expect(page.getByRole('status').textContent).toBe('150 %');
    const region = page.getByRole('region', { name: 'gel.png, zoomable' });
    region.dispatchEvent(new KeyboardEvent('keydown', { key: '+', bubbles: true }));
    await waitFor(() => expect(page.getByRole('status').textContent).toBe('200 %'));
    region.dispatchEvent(new KeyboardEvent('keydown', { key: '0', bubbles: true }));
    await waitFor(() => expect(page.getByRole('status').textContent).toBe('100 %'));
  });

  it('is not shown when it is a large image, and not downloaded when it is larger than the limit', async () => {
    const { page, unmount } = showFile('scan.png', () => bytes('x', 26_000_000));
    await waitFor(() => expect(page.getAllByText(texts.largeImage('25 MB'))).toHaveLength(1));
    expect(page.queryByRole('img')).toBeNull();
    unmount();
    const overrides = { data_type: 'object_storage', size_bytes: 600_000_000 };
    const large = showFile('movie.avi', () => bytes('x'), overrides);
    const link = await waitFor(() => large.page.getByRole('link', { name: texts.openBrowser('movie.avi') }));
    expect(link.getAttribute('href')).toBe('http://data.lab.example:8000/datapoint/01D/value');
    expect(large.page.queryByRole('button', { name: texts.download('movie.avi') })).toBeNull();
    expect(large.requests.filter(({ path }) => path.endsWith('/value'))).toEqual([]);
  });

  it('opens in the browser when it is a PDF', async () => {
    const { page } = showFile('report.pdf', () => bytes('x'));
    await waitFor(() => expect(page.getAllByRole('link', { name: texts.openBrowser('report.pdf') })).toHaveLength(1));
    expect(page.getAllByRole('button', { name: texts.download('report.pdf') })).toHaveLength(1);
  });

  it('shows why its download failed, and its download can be cancelled', async () => {
    let fails = true;
    const { page } = showFile('run.bin', () =>
      fails ? Response.json({ detail: 'disk is gone' }, { status: 500 }) : new Promise(() => undefined),
    );
    const download = () => page.getByRole('button', { name: texts.download('run.bin') });
    await waitFor(download);
    await click(download());
    await waitFor(() => expect(page.getByRole('alert').textContent).toContain('disk is gone'));
    fails = false;
    await click(download());
    await waitFor(() => expect(page.getAllByRole('button', { name: texts.downloading('run.bin') })).toHaveLength(1));
    await click(page.getByRole('button', { name: texts.cancel }));
    await waitFor(() => expect(page.getAllByRole('button', { name: texts.download('run.bin') })).toHaveLength(1));
    expect(page.queryByRole('alert')).toBeNull();
  });
});
