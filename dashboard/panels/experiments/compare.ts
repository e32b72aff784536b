/** Experiments beside each other: a line a fact, a cell an experiment. Pure. */
import type { Experiment } from '../../../api/managers/experiment.ts';
import type { Workflow } from '../../../api/managers/workflow.ts';
import { experimentLooks } from '../../../api/states.ts';
import { figure } from '../../base/figure.ts';
import { duration, moment } from '../../base/time.ts';
import { grouped } from '../../base/grouped.ts';
import { workflowState } from '../../managers/workcell/workflowState.ts';
import { experimentRow, type ReadTime } from './rows.ts';
import { meanOf, type Result } from '../../managers/data/results.ts';
import { experimentsTexts } from './texts.ts';

const texts = experimentsTexts.comparing;

export interface Compared {
  readonly experiment: Experiment;
  /** `null` until they were read. */
  readonly workflows: readonly Workflow[] | null;
  readonly results: readonly Result[] | null;
}

export interface Line {
  readonly key: string;
  readonly title: string;
  /** Of each experiment, in their order. */
  readonly cells: readonly string[];
  readonly differs: boolean;
}

export interface LineGroup {
  readonly key: 'facts' | 'parameters' | 'results';
  readonly lines: readonly Line[];
}

function line(key: string, title: string, cells: readonly string[]): Line {
  return { key, title, cells, differs: new Set(cells).size > 1 };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

/** What was given for a parameter over all workflows: each value once, in their order. */
function givenValues(workflows: readonly Workflow[], name: string): string {
  const values = workflows.flatMap(({ parameter_values: given }) =>
    given !== null && given !== undefined && Object.hasOwn(given, name) ? [textOf(given[name])] : [],
  );
  return [...new Set(values)].join(', ');
}

function resultText(results: readonly Result[]): string {
  const mean = meanOf(results);
  if (mean !== null) return texts.mean(figure(mean.mean), mean.count);
  const values = [...new Set(results.flatMap(({ value }) => (value === null ? [] : [String(value)])))];
  // What is no single value is at least there.
  return values.length > 0 || results.length === 0 ? values.join(', ') : texts.datapoints(results.length);
}

/** @param now of which today is written without its date, ms since the epoch */
export function comparedLines(all: readonly Compared[], at: ReadTime, now: number): readonly LineGroup[] {
  const rows = all.map(({ experiment }) => experimentRow(experiment, at, now));
  const counts = all.map(({ workflows }) => {
    if (workflows === null) return { all: texts.unknown, completed: texts.unknown, failed: texts.unknown };
    const of = (state: string) => figure(workflows.filter((workflow) => workflowState(workflow) === state).length);
    return { all: figure(workflows.length), completed: of('completed'), failed: of('failed') };
  });
  const facts = [
    line(
      'state',
      texts.state,
      rows.map(({ state }) => experimentLooks[state].word),
    ),
    line(
      'started',
      texts.started,
      rows.map(({ started }) => (started === null ? '' : moment(started, now))),
    ),
    line(
      'duration',
      texts.duration,
      rows.map(({ took }) => (took === null ? '' : duration(took.ms))),
    ),
    line(
      'workflows',
      texts.workflows,
      counts.map((count) => count.all),
    ),
    line(
      'completed',
      texts.completed,
      counts.map((count) => count.completed),
    ),
    line(
      'failed',
      texts.failed,
      counts.map((count) => count.failed),
    ),
  ];
  const names = new Set(
    all.flatMap(({ workflows }) => (workflows ?? []).flatMap((each) => Object.keys(each.parameter_values ?? {}))),
  );
  const labels = all.map(({ results }) => (results === null ? null : grouped(results, ({ label }) => label)));
  return [
    { key: 'facts', lines: facts },
    {
      key: 'parameters',
      lines: [...names].toSorted().map((name) =>
        line(
          name,
          name,
          all.map(({ workflows }) => (workflows === null ? texts.unknown : givenValues(workflows, name))),
        ),
      ),
    },
    {
      key: 'results',
      lines: [...new Set(labels.flatMap((each) => [...(each?.keys() ?? [])]))].toSorted().map((label) =>
        line(
          label,
          label,
          labels.map((each) => (each === null ? texts.unknown : resultText(each.get(label) ?? []))),
        ),
      ),
    },
  ];
}
