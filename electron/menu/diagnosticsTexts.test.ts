import { expect, it } from 'vitest';
import { bundleName, diagnosticsQuestion } from './diagnosticsTexts.ts';

it('shows all that would be saved, and what the checks found', () => {
  const report = { id: 'x', what: '', why: '', whatToDo: '' };
  const reports = [
    { ...report, title: 'Clocks', result: 'problem' as const },
    { ...report, title: 'Settings', result: 'ok' as const },
  ];
  const list = { counts: '1 problem, 0 warnings', reports, files: 'checks.txt  2 KB\nlogs/a.log  1 KB' };
  const { detail } = diagnosticsQuestion(list);
  expect(detail).toContain('Checks: 1 problem, 0 warnings (Clocks).');
  expect(detail).toContain(list.files);
  expect(diagnosticsQuestion({ ...list, reports: [] }).detail).not.toContain('()');
});

it('names the file by the time', () => {
  expect(bundleName(new Date(2026, 0, 5, 4, 7))).toBe('lab-manager-diagnostics-2026-01-05-0407.zip');
});
