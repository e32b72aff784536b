/** `--status`: the lab as the running service sees it, for people and scripts. */
import { labHistory, type LabStatus } from '../../api/lab/lab.ts';
import { stopSentence, unconfirmedNodes } from '../../api/labStop.ts';
import { maintenanceOf } from '../../api/lab/maintenance.ts';
import { nodeStateText } from '../../api/managers/nodeState.ts';
import { safetyStopTexts } from '../../api/safetyStopTexts.ts';
import { labLooks, maintenanceLook, managerLooks } from '../../api/states.ts';
import { askJson } from '../http/outgoing/askJson.ts';
import { localTime } from './localTime.ts';
import { exitCodes } from '../lifecycle/status.ts';

/** Prints the state of the service at `url`. @returns 0 when the lab is healthy, else 1 */
export async function printStatus(url: string, print: (text: string) => void): Promise<number> {
  const answer = await askJson(`${url}lab_health/history`, 5000);
  const lab = answer.ok ? labHistory.safeParse(answer.body) : null;
  if (!lab?.success) {
    print(`No lab manager answers at ${url}: ${answer.ok ? 'not a lab history' : answer.reason}`);
    return exitCodes.failure;
  }
  const { state, description, managers, lab_name } = lab.data;
  print(`${lab_name ?? 'Lab'}: ${labLooks[state].word}, ${description}`);
  for (const line of stopLines(lab.data.safety_stop)) print(line);
  for (const manager of managers) {
    const held = maintenanceOf(lab.data.maintenance, 'manager', manager.manager);
    const word = held === null ? managerLooks[manager.state].word : maintenanceLook.word;
    const reason = manager.reason === null ? '' : `  ${manager.reason}`;
    print(`  ${manager.name.padEnd(20)} ${word.padEnd(12)} ${manager.url}${reason}`);
  }
  for (const { name, state: of, flags, reason, since } of lab.data.activity?.nodes?.in_need ?? [])
    print(
      `  ${name.padEnd(20)} ${nodeStateText(of, flags ?? []).padEnd(12)} since ${localTime(since)}${reason === null ? '' : `  ${reason}`}`,
    );
  for (const { name, until } of lab.data.maintenance ?? [])
    print(`  ${name.padEnd(20)} ${maintenanceLook.word.padEnd(12)} until ${localTime(until)}`);
  return state === 'maintenance' || state === 'healthy' || state === 'degraded' ? exitCodes.ok : exitCodes.failure;
}

/** The safety stop in force, and the nodes that did not confirm it, each with the reason. */
function stopLines(stop: LabStatus['safety_stop']): readonly string[] {
  if (!stop) return [];
  const open = unconfirmedNodes(stop).map(({ name, reason }) =>
    `  ${name.padEnd(20)} ${safetyStopTexts.notConfirmedWord.padEnd(12)} ${reason}`.trimEnd(),
  );
  return [stopSentence(stop, (at) => localTime(new Date(at).toISOString())), ...open];
}
