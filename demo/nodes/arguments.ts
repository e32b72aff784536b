/** Whether the arguments of an action are what its definition asks for; a node answers 422 where they aren't. */
import type { ActionDefinition } from '../../api/action.ts';
import type { JsonObject } from '../../api/wire.ts';
import type { Problem } from '../http/validation.ts';

type Check = readonly [fits: (value: unknown) => boolean, type: string, msg: string];

const checks: Readonly<Record<string, Check>> = {
  int: [(value) => Number.isInteger(value), 'int_type', 'Input should be a valid integer'],
  float: [(value) => typeof value === 'number', 'float_type', 'Input should be a valid number'],
  str: [(value) => typeof value === 'string', 'string_type', 'Input should be a valid string'],
  bool: [(value) => typeof value === 'boolean', 'bool_type', 'Input should be a valid boolean'],
  list: [Array.isArray, 'list_type', 'Input should be a valid list'],
  dict: [
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    'dict_type',
    'Input should be a valid dictionary',
  ],
};

/** `list[str]` → `list`, `Optional[int]` → `int`; a type that isn't known takes anything. */
function checkFor(type: string): Check | undefined {
  const plain = /^Optional\[(.*)\]$/.exec(type)?.[1] ?? type;
  return checks[plain.replace(/\[.*/, '')];
}

export function argumentProblems(definition: ActionDefinition, args: JsonObject): Problem[] {
  const problems: Problem[] = [];
  for (const argument of [...Object.values(definition.args), ...Object.values(definition.locations ?? {})]) {
    const input = args[argument.name];
    const loc = ['body', 'args', argument.name];
    if (input === undefined || input === null) {
      if (argument.required) problems.push({ type: 'missing', loc, msg: 'Field required', input: args });
      continue;
    }
    const check = checkFor(argument.argument_type);
    if (check !== undefined && !check[0](input)) problems.push({ type: check[1], loc, msg: check[2], input });
  }
  return problems;
}
