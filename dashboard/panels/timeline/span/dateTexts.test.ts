import { expect, it } from 'vitest';
import { describeSavedAt, describePictureSpan, describeZone } from './dateTexts.ts';

const range = { from: new Date(2026, 10, 22, 18).getTime(), to: new Date(2026, 10, 23, 8).getTime() };

it('the text of a saved picture contains the dates of both ends with year and time zone', () => {
  expect(describePictureSpan(range, 'UTC+01:00 (Europe/Berlin)')).toBe(
    '22 Nov 2026 18:00 – 23 Nov 2026 08:00, UTC+01:00 (Europe/Berlin)',
  );
  expect(describePictureSpan(range)).toContain('UTC');
  expect(describeZone(range, 'Europe/Berlin')).toMatch(/^UTC[+-]\d\d:\d\d.* \(Europe\/Berlin\)$/);
  expect(describeSavedAt(range.to)).toBe('Saved 23 Nov 2026 08:00');
});
