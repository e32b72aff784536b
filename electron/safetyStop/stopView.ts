/** The app's safety stop as its pages show it. Pure. */
import { formatShellTime } from '../preferences/clockTime.ts';
import { safetyStopTexts as texts } from '../../api/safetyStop/safetyStopTexts.ts';
import { rowAppearance, rowText, summaryText } from '../../api/safetyStop/stopReport.ts';
import type { StopView } from '../ipc/contract.ts';
import type { StopReport } from './safetyStop.ts';

/**
 * @param lab the lab and its machine: `Bench on lab-pc`
 * @param now ms since the epoch: times of another day include the date
 * @param getState returns a node's state with its flags; `null` if they were not read after `sentAt`
 */
export function createStopView(
  lab: string,
  knownNodes: number,
  report: StopReport | null,
  now: number,
  getState: (sentAt: number, node: string) => string | null = () => null,
): StopView {
  if (report === null) return { lab, knownNodes, report: null };
  const { sentAt, isSending, isReadingNodes, rows, releasableCount } = report;
  return {
    lab,
    knownNodes,
    report: {
      lab: report.lab,
      sent: texts.sentAt(formatShellTime(sentAt, now)),
      summary: summaryText(rows, isReadingNodes, releasableCount),
      isSending,
      releasableCount,
      rows: rows.map((row) => ({
        name: row.name,
        appearance: rowAppearance(row),
        text: row.releasedAt === null ? rowText(row) : texts.released(formatShellTime(row.releasedAt, now)),
        state: getState(Math.max(sentAt, row.releasedAt ?? 0), row.name),
      })),
    },
  };
}
