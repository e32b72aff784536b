import { expect, it } from 'vitest';
import { stepAppearances } from '../../../../api/states.ts';
import { timelineTexts } from '../texts.ts';
import { createLegend, describeSavedAt, describePictureSpan, describeZone } from './picture.ts';

const range = { from: new Date(2026, 10, 22, 18).getTime(), to: new Date(2026, 10, 23, 8).getTime() };

it('the text of a saved picture contains the dates of both ends with year and time zone', () => {
  expect(describePictureSpan(range, 'UTC+01:00 (Europe/Berlin)')).toBe(
    '22 Nov 2026 18:00 – 23 Nov 2026 08:00, UTC+01:00 (Europe/Berlin)',
  );
  expect(describePictureSpan(range)).toContain('UTC');
  expect(describeZone(range, 'Europe/Berlin')).toMatch(/^UTC[+-]\d\d:\d\d.* \(Europe\/Berlin\)$/);
  expect(describeSavedAt(range.to)).toBe('Saved 23 Nov 2026 08:00');
});

it('the legend of a saved picture contains colors, lines and marks', () => {
  const byOutcome = createLegend('outcome', []);
  const labels = byOutcome.items.map(({ label }) => label);
  expect(byOutcome.title).toBe('Legend, coloured by outcome:');
  expect(labels).toContain(stepAppearances.succeeded.label);
  expect(labels).toContain(timelineTexts.waits);
  expect(labels).toContain(timelineTexts.picture.marks.error);
  const byWorkflow = createLegend('workflow', ['Growth curve', 'Warm up']);
  expect(byWorkflow.items.slice(0, 2)).toEqual([
    { label: 'Growth curve', symbol: { kind: 'category', index: 0 } },
    { label: 'Warm up', symbol: { kind: 'category', index: 1 } },
  ]);
  expect(byWorkflow.items.map(({ label }) => label)).toContain(stepAppearances.failed.label);
});
