/**
 * Checks the references within a definition: unique keys, existing parameters, and values that exist before they are
 * used.
 */
import { definitionTexts } from './texts.ts';
import { stepTitle, type Definition, type DefinitionStep, type Parameter } from './model.ts';
import { findNearestName } from '#api/nearestName.ts';
import type { Issue, Path } from './source.ts';

const texts = definitionTexts.references;

/** A use of a parameter in a step. */
export interface Use {
  readonly parameter: string;
  readonly step: number;
  readonly role: 'name' | 'description' | 'action' | 'node' | 'args' | 'locations' | 'files';
  /** The argument; `null` if the use is not an argument. */
  readonly argument: string | null;
  readonly path: Path;
}

export function listUses(step: DefinitionStep, index: number): Use[] {
  const { uses, path, files } = step;
  const used: Use[] = [];
  for (const role of ['name', 'description', 'action', 'node'] as const) {
    const parameter = uses[role];
    if (parameter !== null)
      used.push({ parameter, step: index, role, argument: null, path: [...path, 'use_parameters', role] });
  }
  for (const role of ['args', 'locations'] as const)
    for (const [argument, parameter] of Object.entries(uses[role]))
      used.push({ parameter, step: index, role, argument, path: [...path, 'use_parameters', role, argument] });
  for (const [argument, parameter] of Object.entries(files))
    used.push({ parameter, step: index, role: 'files', argument, path: [...path, 'files', argument] });
  return used;
}

function findRepeated<T>(items: readonly T[], getKey: (item: T) => string | null): T[] {
  const seen = new Set<string>();
  return items.filter((item) => {
    const key = getKey(item);
    if (key === null) return false;
    if (seen.has(key)) return true;
    seen.add(key);
    return false;
  });
}

/** Returns the index of the source step of a feed-forward value; `null` if there is none. */
function findSourceStep(parameter: Parameter, steps: readonly DefinitionStep[]): number | null {
  const { step } = parameter;
  if (typeof step === 'number') return Number.isInteger(step) && step >= 0 && step < steps.length ? step : null;
  const index = steps.findIndex(({ key }) => key !== null && key === step);
  return index === -1 ? null : index;
}

function checkUse(use: Use, definition: Definition): Issue[] {
  const parameter = definition.parameters.find(({ key }) => key === use.parameter);
  const error = (message: string): Issue[] => [{ severity: 'error', path: use.path, message }];
  if (parameter === undefined)
    return error(
      texts.unknownParameter(
        use.parameter,
        findNearestName(
          use.parameter,
          definition.parameters.map(({ key }) => key),
        ),
      ),
    );
  const isFile = parameter.kind === 'file' || parameter.kind === 'feed_file';
  if (use.role === 'files' && !isFile) return error(`“${use.parameter}” is a value, not a file.`);
  if (use.role !== 'files' && isFile) return error(`“${use.parameter}” is a file; it can only be used under files.`);
  if (parameter.kind !== 'feed_json' && parameter.kind !== 'feed_file') return [];
  if (['name', 'description', 'action', 'node'].includes(use.role))
    return error(`“${use.parameter}” is only known while the workflow runs, too late for a step’s ${use.role}.`);
  const source = findSourceStep(parameter, definition.steps);
  const from = source === null ? undefined : definition.steps[source];
  if (source === null || from === undefined || source < use.step) return [];
  return error(texts.feedLate(use.parameter, stepTitle(from, source), source === use.step));
}

function checkParameter(parameter: Parameter, definition: Definition, used: ReadonlySet<string>): Issue[] {
  const issues: Issue[] = [];
  if (!used.has(parameter.key))
    issues.push({ severity: 'warning', path: [...parameter.path, 'key'], message: `No step uses “${parameter.key}”.` });
  if (parameter.kind !== 'feed_json' && parameter.kind !== 'feed_file') return issues;
  if (parameter.step !== null && findSourceStep(parameter, definition.steps) === null) {
    const keys = definition.steps.flatMap(({ key }) => key ?? []);
    const message = texts.feedFrom(
      parameter.key,
      String(parameter.step),
      typeof parameter.step === 'string' ? findNearestName(parameter.step, keys) : null,
    );
    issues.push({ severity: 'error', path: [...parameter.path, 'step'], message });
  }
  return issues;
}

/** Reports arguments with both a value and a parameter; the parameter has precedence. */
function findDuplicateArguments({ path, args, locations, uses }: DefinitionStep): Issue[] {
  const groups = [
    ['args', args, uses.args],
    ['locations', locations, uses.locations],
  ] as const;
  return groups.flatMap(([group, providedValues, used]) =>
    Object.keys(used)
      .filter((argument) => Object.hasOwn(providedValues, argument))
      .map((argument): Issue => ({
        severity: 'warning',
        path: [...path, group, argument],
        message: `“${argument}” is also set by the parameter “${used[argument] ?? ''}”, which has precedence.`,
        part: 'key',
      })),
  );
}

export function checkReferences(definition: Definition): Issue[] {
  const { steps, parameters } = definition;
  const uses = steps.flatMap((step, index) => listUses(step, index));
  const used = new Set(uses.map(({ parameter }) => parameter));
  return [
    ...findRepeated(steps, ({ key }) => key).map((step): Issue => ({
      severity: 'error',
      path: [...step.path, 'key'],
      message: `Another step has the key “${step.key ?? ''}” already.`,
    })),
    ...findRepeated(parameters, ({ key }) => key).map((parameter): Issue => ({
      severity: 'error',
      path: [...parameter.path, 'key'],
      message: `Another parameter has the key “${parameter.key}” already.`,
    })),
    ...uses.flatMap((use) => checkUse(use, definition)),
    ...parameters.flatMap((parameter) => checkParameter(parameter, definition, used)),
    ...steps.flatMap(findDuplicateArguments),
  ];
}
