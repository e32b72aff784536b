import { expect, it } from 'vitest';
import { bundleName, describeDiagnostics } from './diagnosticsTexts.ts';

it('describeDiagnostics lists every file to be saved and the results of the checks', () => {
  const report = { id: 'x', guide: 'troubleshooting.html', what: '', why: '', whatToDo: '', tookMs: 1 };
  const reports = [
    { ...report, title: 'Clocks', result: 'problem' as const },
    { ...report, title: 'Settings', result: 'ok' as const },
  ];
  const files = [
    { name: 'checks.txt', size: '2 KB', what: 'Results of the checks' },
    { name: 'logs/lab-manager.old.log', size: '5.0 MB', what: 'Log, its newest 5 MB' },
  ];
  const list = { counts: '1 problem, 0 warnings', reports, files };
  const { detail } = describeDiagnostics(list);
  expect(detail).toContain('Checks: 1 problem, 0 warnings (Clocks).');
  // The list has no columns, because dialogs use a proportional font.
  expect(detail).toContain(
    '• Results of the checks: checks.txt, 2 KB\n• Log, its newest 5 MB: logs/lab-manager.old.log, 5.0 MB\n',
  );
  expect(detail).not.toMatch(/ {2}/);
  expect(describeDiagnostics({ ...list, reports: [] }).detail).not.toContain('()');
});

it('bundleName contains the time', () => {
  expect(bundleName(new Date(2026, 0, 5, 4, 7))).toBe('lab-manager-diagnostics-2026-01-05-0407.zip');
});
