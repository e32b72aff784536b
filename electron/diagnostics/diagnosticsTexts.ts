/** The texts for saving diagnostics. */
import { formatFileTime } from '../../api/time/clockText.ts';
import { describeBundleAccess, type DiagnosticsList } from '../../api/diagnostics.ts';

/** Returns the text of the confirmation before saving, with the content that the file will have. */
export function describeDiagnostics({ counts, reports, files }: DiagnosticsList): {
  readonly message: string;
  readonly detail: string;
} {
  const problemTitles = reports
    .filter(({ result }) => result === 'problem' || result === 'warning')
    .map(({ title }) => title);
  const problemsText = problemTitles.length === 0 ? '' : ` (${problemTitles.join(', ')})`;
  // A dialog has a proportional font, in which columns of spaces are ragged.
  const list = files.map(({ name, size, what }) => `• ${what}: ${name}, ${size}`).join('\n');
  return {
    message: 'Save these diagnostics as one file?',
    detail: `Checks: ${counts}${problemsText}.\n\n${list}\n\nPasswords, tokens, keys and webhook addresses were removed. Names of machines, nodes and workflows are still included. ${describeBundleAccess(process.platform)}`,
  };
}

/** `lab-manager-diagnostics-2026-11-22-1405.zip`, in local time. */
export function bundleName(now: Date): string {
  return `lab-manager-diagnostics-${formatFileTime(now)}.zip`;
}
