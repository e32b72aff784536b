import { expect, it } from 'vitest';
import { shortId } from './objectPages.ts';

it.each([
  ['01JD8Z4Y3N7K2MQ4ABCDEF', '…ABCDEF'],
  ['node_1', 'node_1'],
  ['1234567', '1234567'],
  ['', ''],
])('shortId of %s is %s', (id, expected) => {
  expect(shortId(id)).toBe(expected);
});
