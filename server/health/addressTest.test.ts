import { describe, expect, it } from 'vitest';
import { testAddress } from './addressTest.ts';

describe('testAddress', () => {
  it.each(['', ' None ', 'none', 'null'])('accepts “%s” for a manager that the lab does not have', async (text) => {
    const off = { ok: true, text: 'Switched off: this lab has no such manager', url: '' };
    expect(await testAddress('event', text)).toEqual(off);
  });

  it.each(['lab-pc', 'ftp://lab-pc/', 'http://user:secret@lab-pc/', 'http://'])(
    'rejects “%s” and does not repeat its password',
    async (text) => {
      const result = await testAddress('event', text);
      expect(result).toMatchObject({ ok: false, url: null });
      expect(result.text).not.toContain('secret');
    },
  );
});
