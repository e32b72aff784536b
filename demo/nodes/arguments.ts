/** Whether the arguments of an action are what its definition asks for; a node answers 422 where they aren't. */
import { isObject, type JsonObject } from '../../api/client/wire.ts';
import type { ActionDefinition, ArgumentDefinition } from '../../api/managers/action.ts';
import type { Problem } from '../http/validation.ts';

type Check = readonly [fits: (value: unknown) => boolean, type: string, msg: string];

/** A node takes a number that is written as a text, as Pydantic does. */
function asNumber(value: unknown): unknown {
  return typeof value === 'string' && /^\s*[+-]?\d+(\.\d*)?\s*$/.test(value) ? Number(value) : value;
}

const checks: Readonly<Record<string, Check>> = {
  int: [(value) => Number.isInteger(asNumber(value)), 'int_type', 'Input should be a valid integer'],
  float: [(value) => typeof asNumber(value) === 'number', 'float_type', 'Input should be a valid number'],
  str: [(value) => typeof value === 'string', 'string_type', 'Input should be a valid string'],
  bool: [(value) => typeof value === 'boolean', 'bool_type', 'Input should be a valid boolean'],
  list: [Array.isArray, 'list_type', 'Input should be a valid list'],
  dict: [isObject, 'dict_type', 'Input should be a valid dictionary'],
  location: [isObject, 'model_attributes_type', 'Input should be a valid dictionary or object to extract fields from'],
};

/** `list[str]` → `list`; a type that isn't known takes anything. */
function checkFor(type: string): Check | undefined {
  return checks[type.replace(/\[.*/, '')];
}

/** Only what may be left out as null takes null: of an `Optional[…]` nothing else is left on the wire. */
const takesNull = (argument: ArgumentDefinition) => !argument.required && argument.default === null;

export function argumentProblems(definition: ActionDefinition, args: JsonObject): Problem[] {
  const problems: Problem[] = [];
  for (const argument of [...Object.values(definition.args), ...Object.values(definition.locations ?? {})]) {
    const input = args[argument.name];
    const loc = ['body', 'args', argument.name];
    if (input === undefined) {
      if (argument.required) problems.push({ type: 'missing', loc, msg: 'Field required', input: args });
      continue;
    }
    if (input === null && takesNull(argument)) continue;
    const check = checkFor(argument.argument_type);
    if (check !== undefined && !check[0](input)) problems.push({ type: check[1], loc, msg: check[2], input });
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
