/** Whether the arguments of an action are what its definition asks for; a node answers 422 where they aren't. */
import { isObject, type JsonObject } from '../../api/client/wire.ts';
import type { ActionDefinition, ArgumentDefinition } from '../../api/managers/action.ts';
import type { Problem } from '../base/reading.ts';

/** A node takes a number that is written as a text, as Pydantic does. */
function asNumber(value: unknown): unknown {
  return typeof value === 'string' && /^\s*[+-]?\d+(\.\d*)?\s*$/.test(value) ? Number(value) : value;
}

/** By type: what fits, and what is expected. */
const checks: Readonly<Record<string, readonly [fits: (value: unknown) => boolean, expected: string]>> = {
  int: [(value) => Number.isInteger(asNumber(value)), 'integer'],
  float: [(value) => typeof asNumber(value) === 'number', 'number'],
  str: [(value) => typeof value === 'string', 'string'],
  bool: [(value) => typeof value === 'boolean', 'boolean'],
  list: [Array.isArray, 'list'],
  dict: [isObject, 'dictionary'],
  location: [isObject, 'dictionary'],
};

/** Only what may be left out as null takes null: of an `Optional[…]` nothing else is left on the wire. */
const takesNull = (argument: ArgumentDefinition) => !argument.required && argument.default === null;

export function argumentProblems(definition: ActionDefinition, args: JsonObject): Problem[] {
  const problems: Problem[] = [];
  for (const argument of [...Object.values(definition.args), ...Object.values(definition.locations ?? {})]) {
    const input = args[argument.name];
    const loc = ['body', 'args', argument.name];
    if (input === undefined) {
      if (argument.required) problems.push({ loc, msg: 'Field required' });
      continue;
    }
    if (input === null && takesNull(argument)) continue;
    // `list[str]` is a `list`; a type that isn't known takes anything.
    const [fits, expected] = checks[argument.argument_type.replace(/\[.*/, '')] ?? [];
    if (fits?.(input) === false) problems.push({ loc, msg: `Input should be a valid ${expected}` });
  }
  return problems;
}

/** What the action itself gets: the declared arguments, with their defaults where none was sent, and nothing else. */
export function filledArguments(definition: ActionDefinition, args: JsonObject): JsonObject {
  const filled: JsonObject = {};
  for (const { name, argument_type: type, default: fallback } of Object.values(definition.args)) {
    const given = args[name] ?? fallback;
    filled[name] = (/^(int|float)$/.test(type) ? asNumber(given) : given) as JsonObject[string];
  }
  for (const name of Object.keys(definition.locations ?? {})) if (Object.hasOwn(args, name)) filled[name] = args[name];
  return filled;
}
