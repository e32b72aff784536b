/** The few days before the demo lab started: a campaign whose experiments ran, with their workflows and data. */
import type { DataManager } from '../data/manager.ts';
import { recordId } from '../base/demoManager.ts';
import type { EventManager } from '../event/manager.ts';
import type { ExperimentManager } from '../experiment/manager.ts';
import { designs, campaignName, protocols } from './protocols.ts';
import type { DemoClock } from '../base/clock.ts';
import type { Random } from '../base/random.ts';
import { readDefinition } from '../workcell/definition.ts';
import { addPastRun } from '../workcell/history.ts';
import type { WorkcellManager } from '../workcell/manager.ts';
import { endEntries } from '../workcell/eventLog.ts';
import type { Definition, Run } from '../workcell/run.ts';
import type { OwnershipInfo } from '../../api/client/wire.ts';

interface PastParts {
  readonly clock: DemoClock;
  readonly random: Random;
  readonly data: DataManager;
  readonly event: EventManager;
  readonly experiment: ExperimentManager;
  readonly workcell: WorkcellManager;
}

const hour = 3_600_000;
const days = 3;

/** Adds a workflow's readings as the plate reader stores them. */
function addReadings(parts: PastParts, run: Run, random: Random): void {
  const end = run.ended ?? run.submitted;
  // As in the real engine, the experiment is recorded only in the workflow.
  const { workcell_id, manager_id } = run.ownership;
  const ownership = { workcell_id, manager_id, workflow_id: run.id };
  if (run.definition.name === 'Growth curve') {
    const value = Array.from({ length: 40 }, (_value, index) =>
      Number((1.2 / (1 + Math.exp((20 - index) / 4)) + random.normal(0.05, 0.01)).toFixed(4)),
    );
    parts.data.store.add({ label: 'growth_curve', value, ownership, at: end });
  } else if (run.definition.name === 'Serial dilution') {
    const cells = Array.from({ length: 12 }, (_value, index) =>
      (1.6 / 2 ** index + random.normal(0.04, 0.005)).toFixed(3),
    );
    const bytes = new TextEncoder().encode(
      `well,absorbance\n${cells.map((cell, index) => `A${index + 1},${cell}`).join('\n')}\n`,
    );
    parts.data.store.add({ label: 'absorbance.csv', file: { filename: 'absorbance.csv', bytes }, ownership, at: end });
  } else if (run.definition.name === 'Spot check') {
    parts.data.store.add({
      label: 'json_result',
      value: Number(random.normal(0.6, 0.1).toFixed(4)),
      ownership,
      at: end,
    });
  }
}

function addRun(parts: PastParts, definition: Definition, submitted: number, ownership: OwnershipInfo): void {
  const { random, event } = parts;
  const failure = random.chance(0.08)
    ? { step: random.int(0, definition.steps.length - 1), message: 'out of tips', type: 'TipError' }
    : undefined;
  const run = addPastRun(parts.workcell.store, {
    definition,
    submitted,
    ownership,
    ...(failure === undefined ? {} : { failure }),
  });
  if (failure === undefined) addReadings(parts, run, random);
  for (const entry of endEntries(parts.workcell.store, run)) event.logAt(run.ended ?? submitted, entry);
}

/** Adds the past runs and returns the owner of the running experiment. */
export function addPast(parts: PastParts): OwnershipInfo {
  const { clock, random, experiment } = parts;
  const now = clock.now();
  const campaign = { campaign_id: random.ulid(now - days * 24 * hour), user_id: random.ulid(now - 30 * 24 * hour) };
  const definitions = protocols.map((protocol) => readDefinition(protocol, () => random.ulid()));
  for (const [index, design] of designs.entries()) {
    const from = now - (days - index) * 24 * hour + 2 * hour;
    const isLast = index === designs.length - 1;
    const newExperiment = {
      design: { ...design, resource_conditions: [], ownership_info: campaign },
      ownership: campaign,
      runName: `${design.experiment_name} run 1`,
      runDescription: campaignName,
    };
    const to = isLast ? null : from + 8 * hour;
    const experimentRecord = experiment.store.addPast(newExperiment, isLast ? 'in_progress' : 'completed', from, to);
    const ownership = { ...campaign, experiment_id: recordId(experimentRecord) };
    const end = to ?? now - hour / 2;
    for (let at = from + hour / 6; at < end; at += random.between(hour / 4, hour)) {
      addRun(parts, random.pick(definitions), Math.round(at), ownership);
    }
    if (isLast) return ownership;
  }
  return campaign;
}
