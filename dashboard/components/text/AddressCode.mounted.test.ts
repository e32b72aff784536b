import { fireEvent } from '@testing-library/dom';
import jsQR from 'jsqr';
import { expect, it, vi } from 'vitest';
import { mountComponent } from '../../fixtures/mounted.ts';
import { qrTexts } from '../texts.ts';
import AddressCode from './AddressCode.vue';

const addresses = ['http://lab-pc.crystallography.example.org:8000/', 'https://192.0.2.17/bench/'];

/** Draws the path of a code with 3 pixels per module, and decodes it. */
function decodeQrCode(code: Element): string | undefined {
  const scale = 3;
  const modules = Number(code.getAttribute('viewBox')?.split(' ')[2]);
  const size = modules * scale;
  const pixels = new Uint8ClampedArray(size * size * 4).fill(255);
  for (const [, x, y] of code
    .querySelector('path')
    ?.getAttribute('d')
    ?.matchAll(/M(\d+) (\d+)h1v1h-1z/g) ?? []) {
    for (let pixel = 0; pixel < scale * scale; pixel += 1) {
      const [column, row] = [Number(x) * scale + (pixel % scale), Number(y) * scale + Math.floor(pixel / scale)];
      pixels.fill(0, (row * size + column) * 4, (row * size + column) * 4 + 3);
    }
  }
  return jsQR(pixels, size, size)?.data;
}

it('AddressCode shows a code with the address, and another one when another address is selected', async () => {
  const { page } = mountComponent(AddressCode, { addresses });
  const [first = '', second = ''] = addresses;
  expect(decodeQrCode(await page.findByRole('img', { name: qrTexts.label(first) }))).toBe(first);
  const select = page.getByRole<HTMLSelectElement>('combobox', { name: 'Address in the QR code' });
  select.value = '1';
  await fireEvent.change(select);
  await vi.waitFor(() => expect(decodeQrCode(page.getByRole('img', { name: qrTexts.label(second) }))).toBe(second));
});

it('AddressCode shows a single address as text', async () => {
  const { page } = mountComponent(AddressCode, { addresses: addresses.slice(0, 1) });
  await page.findByRole('img');
  expect(page.getByText(addresses[0] ?? '').tagName).toBe('SPAN');
  expect(page.queryAllByRole('combobox')).toEqual([]);
});
