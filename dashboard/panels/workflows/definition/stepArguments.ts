/** Checks a step's arguments, locations and files against the declaration of its action. */
import type { ActionDefinition } from '../../../../api/managers/action.ts';
import { isUlid } from '../../../base/objectPages.ts';
import { isIdField } from '../../../components/form/suggestion.ts';
import { definitionTexts } from './texts.ts';
import { beyondStated, fieldsOfAction, limitsOf, type FormField } from '../../../components/form/field.ts';
import { validateValue } from '../../../components/form/validate.ts';
import { isConvertible } from '../../../components/form/declared/conversion.ts';
import { builtIns, builtInShape } from './keys.ts';
import type { StepContext } from './filledStep.ts';
import { nearestName } from '../../../../api/nearestName.ts';
import type { Path } from './source.ts';

const texts = definitionTexts.lab;

type ArgumentSource =
  /** `later`: from another step, or given at the start and not known yet. */
  | { readonly kind: 'value'; readonly value: unknown; readonly path: Path }
  | { readonly kind: 'later'; readonly path: Path }
  | null;

/** Returns the value of an argument: written in the step, or from its parameter. */
function argumentSource(context: StepContext, group: 'args' | 'locations', name: string): ArgumentSource {
  const { step } = context.filled;
  const parameter = step.uses[group][name];
  if (parameter !== undefined) {
    const path = [...step.at, 'use_parameters', group, name];
    if (!Object.hasOwn(context.values, parameter)) return { kind: 'later', path };
    return { kind: 'value', value: context.values[parameter], path };
  }
  if (!Object.hasOwn(step[group], name)) return null;
  return { kind: 'value', value: step[group][name], path: [...step.at, group, name] };
}

const names = (context: StepContext, group: 'args' | 'locations') => [
  ...new Set([...Object.keys(context.filled.step[group]), ...Object.keys(context.filled.step.uses[group])]),
];

/** Returns the path of an argument that the action does not declare. */
function placeOf(context: StepContext, group: 'args' | 'locations', name: string): Path {
  const { step } = context.filled;
  return Object.hasOwn(step[group], name) ? [...step.at, group, name] : [...step.at, 'use_parameters', group, name];
}

function checkValue(context: StepContext, field: FormField, value: ArgumentSource): boolean {
  if (value?.kind !== 'value') return true;
  if (value.value === null || value.value === undefined) {
    if (field.nullable || !field.required) return true;
    context.report('args', 'warning', texts.nullValue(field.name, field.typeText ?? ''), value.path);
    return false;
  }
  const type = field.typeText ?? '';
  const problem = validateValue(field.shape, value.value);
  if (problem === null) {
    if (field.isId === true && typeof value.value === 'string' && !isUlid(value.value)) {
      context.report('args', 'warning', texts.notId(field.name, value.value), value.path);
      return false;
    }
    if (!beyondStated(field, value.value)) return true;
    context.report('args', 'warning', texts.beyondStated(field.name, String(value.value), limitsOf(field)), value.path);
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
  const missing = fields.filter(({ name, required }) => required && argumentSource(context, 'args', name) === null);
  for (const { name, typeText } of missing)
    report('args', 'problem', texts.missingArgument(action.name, name, typeText ?? ''), [...step.at, 'args']);
  const results = fields.map((field) => checkValue(context, field, argumentSource(context, 'args', field.name)));
  const known = fields.map(({ name }) => name);
  const others = names(context, 'args').filter((name) => !known.includes(name));
  for (const name of action.accepts_var_kwargs ? [] : others) {
    const place = placeOf(context, 'args', name);
    const isLocation = Object.hasOwn(action.locations ?? {}, name);
    const isFile = Object.hasOwn(action.files ?? {}, name);
    const near = nearestName(name, known);
    if (isLocation) report('args', 'warning', texts.isLocation(name), place, 'key');
    else if (isFile) report('args', 'warning', texts.isFile(name), place, 'key');
    else report('args', 'warning', texts.unknownArgument(action.name, name, near), place, 'key');
  }
  if (missing.length === 0 && results.every(Boolean) && (action.accepts_var_kwargs || others.length === 0))
    report('args', 'ok', texts.argumentsComplete(names(context, 'args').length), [...step.at, 'args']);
}

export function checkBuiltInArguments(context: StepContext): void {
  const { filled, report, knowledge } = context;
  const { step } = filled;
  const declared = builtIns[filled.action ?? '']?.args ?? {};
  let well = true;
  for (const [name, argument] of Object.entries(declared)) {
    const value = argumentSource(context, 'args', name);
    if (value === null && argument.required) {
      well = false;
      report('args', 'problem', texts.missingArgument(filled.action ?? '', name, argument.type), [...step.at, 'args']);
    }
    if (value?.kind !== 'value') continue;
    const problem = validateValue(builtInShape(argument), value.value);
    if (problem !== null) {
      well = false;
      report('args', 'problem', texts.validateValue(name, argument.type, problem), value.path);
    } else if (isIdField(name) && typeof value.value === 'string' && !isUlid(value.value)) {
      well = false;
      report('args', 'problem', texts.notId(name, value.value), value.path);
    } else if (argument.type === 'location' && typeof value.value === 'string') {
      const { locations, location } = knowledge;
      if (!location.isResponding || locations.some((known) => known.name === value.value)) continue;
      well = false;
      const near = nearestName(
        value.value,
        locations.map((known) => known.name),
      );
      report('locations', 'problem', texts.noLocation(value.value, near), value.path);
    }
  }
  for (const name of names(context, 'args').filter((known) => !Object.hasOwn(declared, known))) {
    well = false;
    const place = placeOf(context, 'args', name);
    report(
      'args',
      'warning',
      texts.unknownArgument(filled.action ?? '', name, nearestName(name, Object.keys(declared))),
      place,
    );
  }
  if (well) report('args', 'ok', texts.argumentsComplete(names(context, 'args').length), [...step.at, 'args']);
}

function checkLocation(context: StepContext, name: string): boolean {
  const { filled, knowledge, report } = context;
  const { node } = filled;
  const value = argumentSource(context, 'locations', name);
  if (value === null) return true;
  if (value.kind === 'later') {
    report('locations', 'unchecked', texts.locationLater(name), value.path);
    return false;
  }
  // A location may also be an inline object, or null.
  if (value.value === null || (typeof value.value === 'object' && !Array.isArray(value.value))) return true;
  if (typeof value.value !== 'string') {
    report('locations', 'problem', texts.locationNotText(name), value.path);
    return false;
  }
  if (!knowledge.location.isResponding) {
    report('locations', 'unchecked', texts.locationSilent(value.value), value.path);
    return false;
  }
  const known = knowledge.locations.find((location) => location.name === value.value);
  if (known === undefined) {
    const all = knowledge.locations.map((location) => location.name);
    report('locations', 'problem', texts.noLocation(value.value, nearestName(value.value, all)), value.path);
    return false;
  }
  if (node === null || known.representations.includes(node)) return true;
  report(
    'locations',
    'problem',
    texts.noRepresentation(value.value, node, known.representations.join(', ')),
    value.path,
  );
  return false;
}

export function checkLocations(context: StepContext, action: ActionDefinition | null): void {
  const { filled, report } = context;
  const { step } = filled;
  const declared = action?.locations ?? {};
  let well = true;
  for (const argument of Object.values(declared)) {
    if (!argument.required || argumentSource(context, 'locations', argument.name) !== null) continue;
    well = false;
    const where = Object.hasOwn(step.args, argument.name) ? 'args' : 'locations';
    report('locations', 'problem', texts.missingLocation(action?.name ?? '', argument.name), [...step.at, where]);
  }
  const all = names(context, 'locations');
  for (const name of all) {
    if (action !== null && !Object.hasOwn(declared, name)) {
      well = false;
      const near = nearestName(name, Object.keys(declared));
      report(
        'locations',
        'warning',
        texts.unknownLocation(action.name, name, near),
        placeOf(context, 'locations', name),
        'key',
      );
    }
    // The manager resolves every location, even if the action does not declare it.
    if (!checkLocation(context, name)) well = false;
  }
  if (well && all.length > 0) report('locations', 'ok', texts.locationsKnown(all.length), [...step.at, 'locations']);
}

export function checkFiles(context: StepContext, action: ActionDefinition): void {
  const { filled, report } = context;
  const { step } = filled;
  const declared = action.files ?? {};
  const missing = Object.values(declared).filter(({ name, required }) => required && !Object.hasOwn(step.files, name));
  for (const { name } of missing)
    report('files', 'problem', texts.missingFile(action.name, name), [...step.at, 'files']);
  const others = Object.keys(step.files).filter((name) => !Object.hasOwn(declared, name));
  for (const name of others)
    report('files', 'warning', texts.unknownFile(action.name, name, nearestName(name, Object.keys(declared))), [
      ...step.at,
      'files',
      name,
    ]);
  const count = Object.keys(step.files).length;
  if (missing.length === 0 && others.length === 0 && count > 0)
    report('files', 'ok', texts.filesDeclared(count), [...step.at, 'files']);
}
