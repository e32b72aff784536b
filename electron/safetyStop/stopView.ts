/** The app's safety stop as its pages show it. */
import { formatShellTime } from '../preferences/clockTime.ts';
import { nodeStateText } from '../../api/managers/nodeState.ts';
import { safetyStopTexts as texts } from '../../api/safetyStop/safetyStopTexts.ts';
import { describeRelease, planReleases, rowAppearance, rowText, summaryText } from '../../api/safetyStop/stopReport.ts';
import type { StopView } from '../ipc/contract.ts';
import type { StopReport } from './safetyStop.ts';

/**
 * @param lab the lab and its machine: `Bench on lab-pc`
 * @param now ms since the epoch: times of another day include the date
 */
export function createStopView(lab: string, knownNodes: number, report: StopReport | null, now: number): StopView {
  if (report === null) return { lab, knownNodes, report: null };
  const { stop, releasableCount, canRelease } = report;
  const workflows = (stop.workflows ?? []).filter(({ resumed }) => resumed !== true).map(({ name }) => name);
  return {
    lab,
    knownNodes,
    report: {
      lab: report.lab,
      sent: stop.at === null ? '' : texts.pressedAt(formatShellTime(Date.parse(stop.at), now)),
      summary: summaryText(stop.nodes, releasableCount),
      progress: stop.sending === true ? texts.repeating : stop.releasing === true ? texts.releasing : null,
      effects: [
        ...(workflows.length === 0 ? [] : [texts.releaseWorkflows(workflows)]),
        ...describeRelease(stop.nodes, planReleases(stop, null)),
      ],
      releasableCount,
      canRelease,
      rows: stop.nodes.map((node) => ({
        name: node.name,
        appearance: rowAppearance(node),
        text:
          node.released_at === undefined
            ? rowText(node)
            : texts.released(formatShellTime(Date.parse(node.released_at), now)),
        state: node.now === undefined ? null : nodeStateText(node.now.state, node.now.flags),
      })),
    },
  };
}
