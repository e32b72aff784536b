import { expect, it } from 'vitest';
import { listCodes } from './codes.ts';

it.each([
  'barcode',
  'bar_code',
  'Barcode',
  'plate_barcode',
  'qr',
  'QR_code',
  'rfid',
  'serial',
  'serial_no',
  'Serial Number',
  'label',
  'label_id',
])('the value of the attribute %s is a code if it is a text or a number', (name) => {
  expect(listCodes({ attributes: { [name]: 'X1' } })).toEqual(['X1']);
  expect(listCodes({ attributes: { [name]: 12 } })).toEqual(['12']);
  expect(listCodes({ attributes: { [name]: true } })).toEqual([]);
});

it.each(['serial_dilution', 'label_color', 'unlabel', 'labels', 'barcode_reader', 'iqr', 'serialised'])(
  'the attribute %s is not a code',
  (name) => {
    expect(listCodes({ attributes: { [name]: 'X1' } })).toEqual([]);
  },
);
