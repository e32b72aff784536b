/** Declares actions as MADSci's nodes do, with a map for each kind of argument, and checks the arguments of a call. */
import type { ActionDefinition, ArgumentDefinition } from '../../api/managers/action.ts';
import type { NodeInfo } from '../../api/managers/node.ts';
import { isObject, type JsonObject } from '../../api/client/wire.ts';
import type { DemoClock } from '../base/clock.ts';
import type { UploadedFile } from '../base/handlers.ts';
import type { Random } from '../base/random.ts';
import { toNumber } from '../../api/exactJson.ts';

interface Argument {
  /** The Python type as text, such as `list[str]`; of an `Optional[int]` only `int` is served, with null as default. */
  readonly type: string;
  readonly description?: string;
  /** With a default, the argument is optional. */
  readonly default?: unknown;
}

/** The end of an action. `crashed` is an exception: it puts the node itself into an error state. */
export type ActionEnd =
  | { readonly status: 'succeeded'; readonly json?: unknown; readonly files?: Readonly<Record<string, UploadedFile>> }
  | { readonly status: 'failed' | 'crashed'; readonly message: string; readonly type: string };

/** The environment of the nodes: the resources that an arm moves. */
export interface NodeWorld {
  /** Moves the content of one slot to another; returns the reason if it fails, else null. */
  move(sourceResource: string, targetResource: string): string | null;
}

/** Files that an action receives, by argument, or returns, by label. */
export type ActionFiles = Readonly<Record<string, UploadedFile>>;

export interface ActionCall {
  readonly args: JsonObject;
  readonly files: ActionFiles;
  /** The node's state, which the workcell reads with its status. */
  readonly state: JsonObject;
  readonly config: JsonObject;
  readonly clock: DemoClock;
  readonly random: Random;
  readonly world: NodeWorld;
}

export interface NodeAction {
  readonly definition: ActionDefinition;
  /** The duration of the action in milliseconds; 0 ends it immediately. */
  durationMs(call: ActionCall): number;
  end(call: ActionCall): ActionEnd;
}

/** The JSON type of a result, by its Python type. */
const jsonTypes: Readonly<Record<string, string>> = {
  int: 'integer',
  float: 'number',
  str: 'string',
  bool: 'boolean',
  dict: 'object',
  list: 'array',
};

function resultSchema(type: string): JsonObject {
  const data = { ...(type === 'dict' ? { additionalProperties: true } : {}), title: 'Data', type: jsonTypes[type] };
  return { properties: { data }, required: ['data'], title: `${type}Model`, type: 'object' };
}

function argumentMap(declared: Readonly<Record<string, Argument>>): Record<string, ArgumentDefinition> {
  return Object.fromEntries(
    Object.entries(declared).map(([name, argument]) => [
      name,
      {
        name,
        description: argument.description ?? '',
        argument_type: argument.type,
        required: !('default' in argument),
        default: argument.default ?? null,
      },
    ]),
  );
}

interface Declaration {
  readonly name: string;
  readonly description: string;
  readonly args?: Readonly<Record<string, Argument>>;
  /** Description of each location argument. */
  readonly locations?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, Argument>>;
  /** The Python type of the JSON result. */
  readonly json?: 'int' | 'float' | 'str' | 'bool' | 'dict' | 'list';
  /** Labels of the result files. */
  readonly fileLabels?: readonly string[];
  readonly durationMs?: (call: ActionCall) => number;
  readonly end?: (call: ActionCall) => ActionEnd;
}

export function declareAction(declaration: Declaration): NodeAction {
  const { name, description, json, fileLabels = [], locations = {} } = declaration;
  const jsonResult = { result_label: 'json_result', description: null, result_type: 'json' };
  return {
    definition: {
      name,
      description,
      args: argumentMap(declaration.args ?? {}),
      locations: argumentMap(
        Object.fromEntries(
          Object.entries(locations).map(([key, text]) => [key, { type: 'location', description: text }]),
        ),
      ),
      files: argumentMap(declaration.files ?? {}),
      results: {
        ...(json === undefined ? {} : { json_result: { ...jsonResult, json_schema: resultSchema(json) } }),
        ...Object.fromEntries(
          fileLabels.map((label) => [label, { result_label: label, description: null, result_type: 'file' }]),
        ),
      },
      blocking: true,
      asynchronous: true,
      accepts_var_args: false,
      accepts_var_kwargs: false,
      var_args_schema: null,
      var_kwargs_schema: null,
    },
    durationMs: declaration.durationMs ?? (() => 0),
    end: declaration.end ?? (() => ({ status: 'succeeded' })),
  };
}

/** Converts a numeric string to a number, as pydantic does. */
function coerceNumber(value: unknown): unknown {
  if (toNumber(value) !== null) return toNumber(value);
  return typeof value === 'string' && /^\s*[+-]?\d+(\.\d*)?\s*$/.test(value) ? Number(value) : value;
}

/** The validation of a value by its type; unlisted types accept any value. */
const validators: Readonly<Record<string, (value: unknown) => boolean>> = {
  int: (value) => Number.isInteger(coerceNumber(value)),
  float: (value) => typeof coerceNumber(value) === 'number',
  str: (value) => typeof value === 'string' && toNumber(value) === null,
  bool: (value) => typeof value === 'boolean',
  list: Array.isArray,
  dict: isObject,
  location: isObject,
};

/** Returns the names of missing arguments and files, and of those with a wrong type. */
export function invalidArguments(definition: ActionDefinition, args: JsonObject, files: ActionFiles): string[] {
  const declared = [...Object.values(definition.args), ...Object.values(definition.locations ?? {})];
  const invalid = declared.filter((argument) => {
    const value = args[argument.name];
    if (value === undefined) return argument.required;
    // Only an `Optional[…]`, whose default is null, accepts null.
    if (value === null && !argument.required && argument.default === null) return false;
    return validators[argument.argument_type.replace(/\[.*/, '')]?.(value) === false;
  });
  const missing = Object.values(definition.files ?? {}).filter(({ name, required }) => required && !(name in files));
  return [...invalid, ...missing].map(({ name }) => name);
}

/** Returns the arguments of the action: the declared ones only, with defaults for those not sent. */
export function filledArguments(definition: ActionDefinition, args: JsonObject): JsonObject {
  const filled: JsonObject = {};
  for (const { name, argument_type: type, default: fallback } of Object.values(definition.args)) {
    const received = args[name] ?? fallback;
    filled[name] = type === 'int' || type === 'float' ? coerceNumber(received) : received;
  }
  for (const name of Object.keys(definition.locations ?? {})) if (Object.hasOwn(args, name)) filled[name] = args[name];
  return filled;
}

/** Returns a numeric argument, or `fallback`. */
export function numberArgument(call: ActionCall, name: string, fallback: number): number {
  const value = call.args[name];
  return typeof value === 'number' ? value : fallback;
}

export function textArgument(call: ActionCall, name: string, fallback: string): string {
  const value = call.args[name];
  return typeof value === 'string' ? value : fallback;
}

export function textFile(filename: string, text: string, contentType = 'text/plain'): UploadedFile {
  return { filename, contentType, bytes: new TextEncoder().encode(text) };
}

/** The common properties of nodes of one kind. */
export interface NodeKind {
  readonly moduleName: string;
  readonly moduleVersion: string;
  readonly description: string;
  readonly nodeType: string;
  /** The commands supported besides lock, unlock, reset and shutdown. */
  readonly commands: readonly string[];
  readonly actions: readonly NodeAction[];
  readonly config: JsonObject;
  /** The initial state of the node. */
  readonly state: JsonObject;
  readonly intrinsicLocations?: NodeInfo['intrinsic_locations'];
  readonly locationTemplates?: NodeInfo['location_representation_templates'];
}
