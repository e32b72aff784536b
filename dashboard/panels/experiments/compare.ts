/** Comparison of experiments: one line per fact, parameter and result label, with one cell per experiment. */
import type { Experiment } from '#api/managers/experiment.ts';
import type { Workflow } from '#api/managers/workflow.ts';
import { experimentAppearances } from '#api/states.ts';
import { formatNumber } from '#api/countText.ts';
import { groupBy } from '../../base/grouping.ts';
import { sameJson } from '#api/sameJson.ts';
import { formatDuration, formatTime } from '../../base/time.ts';
import { workflowState } from '../../managers/workcell/workflowState.ts';
import { toExperimentRow, type ParseTime } from './rows.ts';
import { computeMean, type Result } from '../../managers/data/results.ts';
import { experimentsTexts } from './texts.ts';
import { formatJson } from '#api/exactJson.ts';

const texts = experimentsTexts.comparing;

export interface ComparisonInput {
  readonly experiment: Experiment;
  /** `null` until the workflows are loaded; the same applies to `results`. */
  readonly workflows: readonly Workflow[] | null;
  readonly results: readonly Result[] | null;
}

interface Cell {
  readonly text: string;
  /** The datapoints of the cell, oldest first. */
  readonly results: readonly Result[];
}

interface Line {
  readonly key: string;
  readonly title: string;
  /** One cell per experiment, in their order. */
  readonly cells: readonly Cell[];
  readonly differs: boolean;
}

interface LineGroup {
  readonly key: 'facts' | 'parameters' | 'results';
  readonly lines: readonly Line[];
}

/** @param values the values to compare, if different values can have the same text */
function createLine(key: string, title: string, cells: readonly string[], values: readonly unknown[] = cells): Line {
  return {
    key,
    title,
    cells: cells.map((text) => ({ text, results: [] })),
    differs: values.some((value) => !sameJson(value, values[0])),
  };
}

/** Returns the distinct values of a parameter over all workflows, in their order. */
function findDistinctInputs(workflows: readonly Workflow[], name: string): readonly unknown[] {
  const values = workflows.flatMap(({ parameter_values: input }) =>
    input !== null && input !== undefined && Object.hasOwn(input, name) ? [input[name]] : [],
  );
  return values.filter((value, index) => values.findIndex((otherValue) => sameJson(otherValue, value)) === index);
}

/** Returns a short text for one datapoint. */
export function formatResult({ value, lines }: Result): string {
  if (value !== null) return typeof value === 'number' ? formatNumber(value) : formatJson(value);
  const [first] = lines;
  return first === undefined ? texts.show : texts.values(first.values.length);
}

/** Returns the link text for one of several datapoints: its value, or its time. */
export function formatLink(result: Result, now: number): string {
  return result.value !== null || result.storedAt === null ? formatResult(result) : formatTime(result.storedAt, now);
}

/** Formats the datapoints of one label: the value of a single one, otherwise the mean of the numbers or the count. */
function formatCell(results: readonly Result[]): string {
  const [first] = results;
  if (first === undefined) return '';
  if (results.length === 1) return formatResult(first);
  const mean = computeMean(results);
  return mean === null ? texts.datapoints(results.length) : texts.mean(formatNumber(mean.mean), mean.count);
}

function createResultLine(label: string, cells: readonly (readonly Result[] | null)[]): Line {
  const contents = cells.map((results) => results?.map(({ content }) => content) ?? null);
  return {
    key: label,
    title: label,
    cells: cells.map((results) =>
      results === null ? { text: texts.unknown, results: [] } : { text: formatCell(results), results },
    ),
    differs: contents.some((content) => !sameJson(content, contents[0])),
  };
}

/** Returns the lines for the state, start, duration and numbers of workflows. */
function createFactLines(all: readonly ComparisonInput[], parseStamp: ParseTime, now: number): readonly Line[] {
  const rows = all.map(({ experiment }) => toExperimentRow(experiment, parseStamp, now));
  const counts = all.map(({ workflows }) => {
    if (workflows === null) return { all: texts.unknown, completed: texts.unknown, failed: texts.unknown };
    const countIn = (state: string) =>
      formatNumber(workflows.filter((workflow) => workflowState(workflow) === state).length);
    return { all: formatNumber(workflows.length), completed: countIn('completed'), failed: countIn('failed') };
  });
  return [
    createLine(
      'state',
      texts.state,
      rows.map(({ state }) => experimentAppearances[state].label),
    ),
    createLine(
      'started',
      texts.started,
      rows.map(({ started }) => (started === null ? '' : formatTime(started, now))),
    ),
    createLine(
      'duration',
      texts.duration,
      rows.map(({ duration }) => (duration === null ? '' : formatDuration(duration.ms))),
    ),
    createLine(
      'workflows',
      texts.workflows,
      counts.map((count) => count.all),
    ),
    createLine(
      'completed',
      texts.completed,
      counts.map((count) => count.completed),
    ),
    createLine(
      'failed',
      texts.failed,
      counts.map((count) => count.failed),
    ),
  ];
}

/** @param now in ms since the epoch; times of this day are shown without the date */
export function compareExperiments(
  all: readonly ComparisonInput[],
  parseStamp: ParseTime,
  now: number,
): readonly LineGroup[] {
  const parameterNames = new Set(
    all.flatMap(({ workflows }) =>
      (workflows ?? []).flatMap((workflow) => Object.keys(workflow.parameter_values ?? {})),
    ),
  );
  const resultsByLabel = all.map(({ results }) =>
    results === null
      ? null
      : groupBy(
          results.toSorted((a, b) => (a.storedAt ?? 0) - (b.storedAt ?? 0)),
          ({ label }) => label,
        ),
  );
  return [
    { key: 'facts', lines: createFactLines(all, parseStamp, now) },
    {
      key: 'parameters',
      lines: [...parameterNames].toSorted().map((name) => {
        const values = all.map(({ workflows }) => (workflows === null ? null : findDistinctInputs(workflows, name)));
        const cells = values.map((inputs) => inputs?.map((value) => formatJson(value)).join(', ') ?? texts.unknown);
        return createLine(name, name, cells, values);
      }),
    },
    {
      key: 'results',
      lines: [...new Set(resultsByLabel.flatMap((resultsOfExperiment) => [...(resultsOfExperiment?.keys() ?? [])]))]
        .toSorted()
        .map((label) =>
          createResultLine(
            label,
            resultsByLabel.map((resultsOfExperiment) =>
              resultsOfExperiment === null ? null : (resultsOfExperiment.get(label) ?? []),
            ),
          ),
        ),
    },
  ];
}
