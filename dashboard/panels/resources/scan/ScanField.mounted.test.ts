import { fireEvent } from '@testing-library/dom';
import { defineComponent, h, nextTick } from 'vue';
import { expect, it, vi } from 'vitest';
import { respondAsResourceManager, sampleResource } from '#dashboard/fixtures/resourceResponses.ts';
import { commonTexts } from '#dashboard/base/texts.ts';
import { click, fill, mountComponent } from '#dashboard/fixtures/mounted.ts';
import { noResources, type ResourceIndex } from '#dashboard/managers/resource/resourceIndex.ts';
import { useResources } from '#dashboard/managers/resource/useResources.ts';
import { resourcesTexts } from '../texts.ts';
import ScanField from './ScanField.vue';

const texts = resourcesTexts.scan;
const plate = sampleResource('PLATE', { resource_name: 'plate', attributes: { barcode: 'P0012' } });

async function mountScanField() {
  const responses = respondAsResourceManager({
    resources: [
      plate,
      sampleResource('T1', { resource_name: 'twin' }),
      sampleResource('T2', { resource_name: 'twin' }),
    ],
  });
  const mounted = mountComponent(ScanField);
  await vi.waitFor(() =>
    expect(fetch).toHaveBeenCalledWith(expect.stringContaining('/resource/query'), expect.anything()),
  );
  const input = mounted.page.getByLabelText<HTMLInputElement>(texts.field);
  const enter = async (code: string) => {
    await fill(input, code);
    fireEvent.submit(input);
  };
  return { ...mounted, enter, responses };
}
const address = (router: { currentRoute: { value: { fullPath: string } } }) => router.currentRoute.value.fullPath;

it.each([
  ['p0012', '/resources/PLATE'],
  ['PLATE', '/resources/PLATE'],
  ['plate', '/resources/PLATE'],
  ['twin', '/resources?as=flat&q=twin'],
])('the code %s opens %s', async (code, to) => {
  const { enter, router } = await mountScanField();
  await enter(code);
  await vi.waitFor(() => expect(address(router)).toBe(to));
});

it('a resource that was added since the list was loaded is found', async () => {
  const { enter, router, responses, page } = await mountScanField();
  await enter('X1');
  await vi.waitFor(() =>
    expect(page.getByRole('alert').textContent).toBe('No resource has the name, ID or code “X1”.'),
  );
  responses.resources = [...responses.resources, sampleResource('NEW', { attributes: { qr: 'X1' } })];
  await enter('X1');
  await vi.waitFor(() => expect(address(router)).toBe('/resources/NEW'));
  expect(page.queryByRole('alert')).toBeNull();
});

/** Delays requests for the resource list until the returned function is called. */
function delayResourceReads(): () => void {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const originalFetch = fetch;
  vi.stubGlobal('fetch', async (...[input, init]: Parameters<typeof fetch>) => {
    if (String(input).includes('/resource/query')) await released;
    return originalFetch(input, init);
  });
  return release;
}

it('the last scanned code is opened, even while an earlier one is still being searched', async () => {
  const { enter, router, page } = await mountScanField();
  await enter('X1');
  await vi.waitFor(() =>
    expect(page.getByRole('alert').textContent).toBe('No resource has the name, ID or code “X1”.'),
  );
  const input = page.getByLabelText<HTMLInputElement>(texts.field);
  const release = delayResourceReads();
  await enter('X2');
  await vi.waitFor(() => expect(input.getAttribute('aria-busy')).toBe('true'));
  await enter('P0012');
  await nextTick();
  // A hand scanner appends the next code to the content of the field.
  expect(input.value).toBe('');
  release();
  await vi.waitFor(() => expect(address(router)).toBe('/resources/PLATE'));
});

it('a search does not navigate after the user has left the page', async () => {
  const responses = respondAsResourceManager({ resources: [plate] });
  let index = (): ResourceIndex => noResources;
  const Wrapper = defineComponent({
    props: { open: { type: Boolean, default: true } },
    setup(input) {
      const resources = useResources();
      index = () => resources.index.value;
      return () => (input.open ? h(ScanField) : null);
    },
  });
  const { page, router, setProps } = mountComponent(Wrapper);
  await vi.waitFor(() => expect(index().all).toHaveLength(1));
  const push = vi.spyOn(router, 'push');
  const release = delayResourceReads();
  responses.resources = [plate, sampleResource('NEW', { attributes: { qr: 'X1' } })];
  const input = page.getByLabelText<HTMLInputElement>(texts.field);
  await fill(input, 'X1');
  fireEvent.submit(input);
  await setProps({ open: false });
  release();
  await vi.waitFor(() => expect(index().byId.has('NEW')).toBe(true));
  for (let tick = 0; tick < 5; tick += 1) await nextTick();
  expect(push).not.toHaveBeenCalled();
});

it('the field offers no camera when the browser can’t detect codes or denies the camera', async () => {
  const first = await mountScanField();
  expect(first.page.queryByRole('button', { name: texts.camera })).toBeNull();
  first.unmount();
  stubBarcodeDetector([], null, 'denied');
  const { page } = await mountScanField();
  expect(page.queryByRole('button', { name: texts.camera })).toBeNull();
});

/** Simulates a browser with a barcode detector whose camera detects these codes in order. */
function stubBarcodeDetector(
  codes: readonly (string | null)[],
  refusal: string | null = null,
  state: PermissionState = 'prompt',
) {
  const remainingCodes = [...codes];
  const stopTrack = vi.fn();
  const camera = { getTracks: () => [{ stop: stopTrack }] };
  vi.stubGlobal(
    'BarcodeDetector',
    class {
      async detect() {
        const next = remainingCodes.shift() ?? null;
        return next === null ? [] : [{ rawValue: next }];
      }
    },
  );
  const getUserMedia = async () => {
    if (refusal !== null) throw new Error(refusal);
    return camera;
  };
  const { userAgent, platform } = navigator;
  vi.stubGlobal('navigator', {
    userAgent,
    platform,
    onLine: true,
    permissions: { query: async () => ({ state }) },
    mediaDevices: { getUserMedia },
  });
  vi.spyOn(HTMLMediaElement.prototype, 'srcObject', 'set').mockReturnValue();
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue();
  return { stopTrack };
}

it('the camera is switched off after it has detected a code', async () => {
  const { stopTrack } = stubBarcodeDetector([null, 'P0012']);
  const { page, router } = await mountScanField();
  await click(page.getByRole('button', { name: texts.camera }));
  await vi.waitFor(() => expect(address(router)).toBe('/resources/PLATE'));
  expect(stopTrack).toHaveBeenCalledOnce();
  expect(page.queryByRole('dialog')).toBeNull();
});

it('closing the dialog switches the camera off', async () => {
  const { stopTrack } = stubBarcodeDetector([]);
  const { page } = await mountScanField();
  await click(page.getByRole('button', { name: texts.camera }));
  await vi.waitFor(() => expect(page.getAllByText('Hold the code in front of the camera.')).toHaveLength(1));
  await click(page.getByRole('button', { name: commonTexts.close }));
  expect(stopTrack).toHaveBeenCalledOnce();
});

it('a denied camera permission is explained', async () => {
  stubBarcodeDetector([], 'Permission denied');
  const { page } = await mountScanField();
  await click(page.getByRole('button', { name: texts.camera }));
  await vi.waitFor(() => expect(page.getByRole('alert').textContent).toBe(texts.failed('Permission denied')));
});
