/** Checks a step's arguments, locations and files against the declaration of its action. */
import { formatJson } from '#api/exactJson.ts';
import type { ActionDefinition } from '#api/managers/action.ts';
import { isUlid } from '#dashboard/base/objectPages.ts';
import { isIdField } from '#dashboard/components/form/suggestion.ts';
import { definitionTexts } from './texts.ts';
import {
  exceedsDescribedLimits,
  fieldsOfAction,
  formatLimits,
  type FormField,
} from '#dashboard/components/form/field.ts';
import { validateValue } from '#dashboard/components/form/validate.ts';
import { isConvertible } from '#dashboard/components/form/declared/conversion.ts';
import { builtIns, shapeOfBuiltIn } from './keys.ts';
import type { StepContext } from './fillStep.ts';
import { findNearestName } from '#api/nearestName.ts';
import type { Path } from './source.ts';

const texts = definitionTexts.lab;

type ArgumentSource =
  /** `later`: from another step, or given at the start and not known yet. */
  | { readonly kind: 'value'; readonly value: unknown; readonly path: Path }
  | { readonly kind: 'later'; readonly path: Path }
  | null;

/** Returns the value of an argument: written in the step, or from its parameter. */
function findArgumentSource(context: StepContext, group: 'args' | 'locations', name: string): ArgumentSource {
  const { step } = context.filled;
  const parameter = step.uses[group][name];
  if (parameter !== undefined) {
    const path = [...step.path, 'use_parameters', group, name];
    if (!Object.hasOwn(context.values, parameter)) return { kind: 'later', path };
    return { kind: 'value', value: context.values[parameter], path };
  }
  if (!Object.hasOwn(step[group], name)) return null;
  return { kind: 'value', value: step[group][name], path: [...step.path, group, name] };
}

const argumentNames = (context: StepContext, group: 'args' | 'locations') => [
  ...new Set([...Object.keys(context.filled.step[group]), ...Object.keys(context.filled.step.uses[group])]),
];

/** Returns the path of an argument that the action does not declare. */
function argumentPath(context: StepContext, group: 'args' | 'locations', name: string): Path {
  const { step } = context.filled;
  return Object.hasOwn(step[group], name) ? [...step.path, group, name] : [...step.path, 'use_parameters', group, name];
}

function checkValue(context: StepContext, field: FormField, value: ArgumentSource): boolean {
  if (value?.kind !== 'value') return true;
  if (value.value === null || value.value === undefined) {
    if (field.nullable || !field.required) return true;
    context.report('args', 'warning', `“${field.name}” (${field.typeText ?? ''}) is given as null.`, value.path);
    return false;
  }
  const type = field.typeText ?? '';
  const problem = validateValue(field.shape, value.value);
  if (problem === null) {
    if (field.isId === true && typeof value.value === 'string' && !isUlid(value.value)) {
      context.report('args', 'warning', texts.notId(field.name, value.value), value.path);
      return false;
    }
    if (!exceedsDescribedLimits(field, value.value)) return true;
    context.report(
      'args',
      'warning',
      `“${field.name}”: ${formatJson(value.value)} is out of the range that its description states: ${formatLimits(field)}.`,
      value.path,
    );
    return false;
  }
  // Nodes reject values that can't be converted when the step starts.
  if (isConvertible(field.shape, value.value, type))
    context.report('args', 'warning', texts.converted(field.name, type, problem), value.path);
  else context.report('args', 'problem', texts.validateValue(field.name, type, problem), value.path);
  return false;
}

export function checkArguments(context: StepContext, action: ActionDefinition): void {
  const { filled, report } = context;
  const { step } = filled;
  const fields = fieldsOfAction({ args: action.args });
  const missing = fields.filter(({ name, required }) => required && findArgumentSource(context, 'args', name) === null);
  for (const { name, typeText } of missing)
    report('args', 'problem', texts.missingArgument(action.name, name, typeText ?? ''), [...step.path, 'args']);
  const results = fields.map((field) => checkValue(context, field, findArgumentSource(context, 'args', field.name)));
  const declaredNames = fields.map(({ name }) => name);
  const others = argumentNames(context, 'args').filter((name) => !declaredNames.includes(name));
  for (const name of action.accepts_var_kwargs ? [] : others) {
    const path = argumentPath(context, 'args', name);
    const isLocation = Object.hasOwn(action.locations ?? {}, name);
    const isFile = Object.hasOwn(action.files ?? {}, name);
    const nearest = findNearestName(name, declaredNames);
    if (isLocation) report('args', 'warning', `“${name}” is a location: put it under locations.`, path, 'key');
    else if (isFile) report('args', 'warning', `“${name}” is a file: put it under files.`, path, 'key');
    else report('args', 'warning', texts.unknownArgument(action.name, name, nearest), path, 'key');
  }
  if (missing.length === 0 && results.every(Boolean) && (action.accepts_var_kwargs || others.length === 0))
    report('args', 'ok', texts.argumentsComplete(argumentNames(context, 'args').length), [...step.path, 'args']);
}

export function checkBuiltInArguments(context: StepContext): void {
  const { filled, report, knowledge } = context;
  const { step } = filled;
  const declared = builtIns[filled.action ?? '']?.args ?? {};
  let isValid = true;
  for (const [name, argument] of Object.entries(declared)) {
    const value = findArgumentSource(context, 'args', name);
    if (value === null && argument.required) {
      isValid = false;
      report('args', 'problem', texts.missingArgument(filled.action ?? '', name, argument.type), [
        ...step.path,
        'args',
      ]);
    }
    if (value?.kind !== 'value') continue;
    const problem = validateValue(shapeOfBuiltIn(argument), value.value);
    if (problem !== null) {
      isValid = false;
      report('args', 'problem', texts.validateValue(name, argument.type, problem), value.path);
    } else if (isIdField(name) && typeof value.value === 'string' && !isUlid(value.value)) {
      isValid = false;
      report('args', 'problem', texts.notId(name, value.value), value.path);
    } else if (argument.type === 'location' && typeof value.value === 'string') {
      const { locations, location } = knowledge;
      if (!location.isResponding || locations.some((knownLocation) => knownLocation.name === value.value)) continue;
      isValid = false;
      const nearest = findNearestName(
        value.value,
        locations.map((knownLocation) => knownLocation.name),
      );
      report('locations', 'problem', texts.noLocation(value.value, nearest), value.path);
    }
  }
  for (const name of argumentNames(context, 'args').filter((argumentName) => !Object.hasOwn(declared, argumentName))) {
    isValid = false;
    const path = argumentPath(context, 'args', name);
    report(
      'args',
      'warning',
      texts.unknownArgument(filled.action ?? '', name, findNearestName(name, Object.keys(declared))),
      path,
    );
  }
  if (isValid)
    report('args', 'ok', texts.argumentsComplete(argumentNames(context, 'args').length), [...step.path, 'args']);
}

function checkLocation(context: StepContext, name: string): boolean {
  const { filled, knowledge, report } = context;
  const { node } = filled;
  const value = findArgumentSource(context, 'locations', name);
  if (value === null) return true;
  if (value.kind === 'later') {
    report('locations', 'unchecked', `“${name}” isn’t known yet: its parameter has no value.`, value.path);
    return false;
  }
  // A location may also be an inline object, or null.
  if (value.value === null || (typeof value.value === 'object' && !Array.isArray(value.value))) return true;
  if (typeof value.value !== 'string') {
    report('locations', 'problem', `“${name}” must be the name of a location.`, value.path);
    return false;
  }
  if (!knowledge.location.isResponding) {
    report(
      'locations',
      'unchecked',
      `Not checked whether there is a location ${value.value}: the location manager did not respond.`,
      value.path,
    );
    return false;
  }
  const knownLocation = knowledge.locations.find((location) => location.name === value.value);
  if (knownLocation === undefined) {
    const knownNames = knowledge.locations.map((location) => location.name);
    report('locations', 'problem', texts.noLocation(value.value, findNearestName(value.value, knownNames)), value.path);
    return false;
  }
  if (node === null || knownLocation.representations.includes(node)) return true;
  report(
    'locations',
    'problem',
    texts.noRepresentation(value.value, node, knownLocation.representations.join(', ')),
    value.path,
  );
  return false;
}

export function checkLocations(context: StepContext, action: ActionDefinition | null): void {
  const { filled, report } = context;
  const { step } = filled;
  const declared = action?.locations ?? {};
  let isValid = true;
  for (const argument of Object.values(declared)) {
    if (!argument.required || findArgumentSource(context, 'locations', argument.name) !== null) continue;
    isValid = false;
    const group = Object.hasOwn(step.args, argument.name) ? 'args' : 'locations';
    report('locations', 'problem', `${action?.name ?? ''} needs the location “${argument.name}”.`, [
      ...step.path,
      group,
    ]);
  }
  const usedNames = argumentNames(context, 'locations');
  for (const name of usedNames) {
    if (action !== null && !Object.hasOwn(declared, name)) {
      isValid = false;
      const nearest = findNearestName(name, Object.keys(declared));
      report(
        'locations',
        'warning',
        texts.unknownLocation(action.name, name, nearest),
        argumentPath(context, 'locations', name),
        'key',
      );
    }
    // The manager resolves every location, even if the action does not declare it.
    if (!checkLocation(context, name)) isValid = false;
  }
  if (isValid && usedNames.length > 0)
    report('locations', 'ok', texts.locationsKnown(usedNames.length), [...step.path, 'locations']);
}

export function checkFiles(context: StepContext, action: ActionDefinition): void {
  const { filled, report } = context;
  const { step } = filled;
  const declared = action.files ?? {};
  const missing = Object.values(declared).filter(({ name, required }) => required && !Object.hasOwn(step.files, name));
  for (const { name } of missing)
    report('files', 'problem', `${action.name} needs the file “${name}”.`, [...step.path, 'files']);
  const others = Object.keys(step.files).filter((name) => !Object.hasOwn(declared, name));
  for (const name of others)
    report('files', 'warning', texts.unknownFile(action.name, name, findNearestName(name, Object.keys(declared))), [
      ...step.path,
      'files',
      name,
    ]);
  const count = Object.keys(step.files).length;
  if (missing.length === 0 && others.length === 0 && count > 0)
    report('files', 'ok', texts.filesDeclared(count), [...step.path, 'files']);
}
