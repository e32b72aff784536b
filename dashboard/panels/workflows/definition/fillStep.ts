/** A step with the known values inserted, and findings about it. */
import type { LabKnowledge } from './labKnowledge.ts';
import type { Definition, DefinitionStep } from './model.ts';
import type { Path } from './source.ts';

export type CheckStatus = 'ok' | 'problem' | 'warning' | 'unchecked';
type Aspect = 'node' | 'state' | 'action' | 'args' | 'locations' | 'files' | 'conditions';

export interface Finding {
  readonly step: number;
  readonly aspect: Aspect;
  readonly status: CheckStatus;
  readonly text: string;
  readonly path: Path;
  /** Marks the key instead of its value. */
  readonly part?: 'key' | undefined;
}

/** A step with the known values inserted. */
export interface FilledStep {
  readonly index: number;
  readonly step: DefinitionStep;
  readonly node: string | null;
  readonly action: string | null;
  /** The parameter whose value is not known yet; `null` if it is known. */
  readonly nodeParameter: string | null;
  readonly actionParameter: string | null;
}

export type Values = Readonly<Record<string, unknown>>;

export interface StepContext {
  readonly filled: FilledStep;
  readonly definition: Definition;
  readonly knowledge: LabKnowledge;
  readonly values: Values;
  report(aspect: Aspect, status: CheckStatus, text: string, path?: Path, part?: 'key'): void;
}

export function fillStep(step: DefinitionStep, index: number, values: Values): FilledStep {
  const resolve = (parameter: string | null, writtenText: string | null): [string | null, string | null] => {
    if (parameter === null) return [writtenText, null];
    const value = Object.hasOwn(values, parameter) ? values[parameter] : undefined;
    return typeof value === 'string' ? [value, null] : [null, parameter];
  };
  const [node, nodeParameter] = resolve(step.uses.node, step.node);
  const [action, actionParameter] = resolve(step.uses.action, step.action);
  return { index, step, node, action, nodeParameter, actionParameter };
}

/** Returns the effective values: defaults overridden by given values. */
export function effectiveValues(definition: Definition, input: Values): Values {
  const defaults = definition.parameters.filter(({ kind, default: fallback }) => kind === 'json' && fallback !== null);
  return { ...Object.fromEntries(defaults.map(({ key, default: fallback }) => [key, fallback])), ...input };
}
