/** Puts parameter values and locations into a step. */
import type { JsonObject } from '../../api/client/wire.ts';
import type { StepDefinition } from './run.ts';
import type { Surroundings } from './surroundings.ts';

const textOr = (value: unknown, fallback: string | null) => (typeof value === 'string' ? value : fallback);

/** The values that are known replace what the definition says; what a later step makes stays open until then. */
export function withValues(step: StepDefinition, values: JsonObject): StepDefinition {
  const used = step.use_parameters;
  if (used === null) return step;
  const of = (key: string | null, fallback: string | null) => (key === null ? fallback : textOr(values[key], fallback));
  const known = (map: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(map)
        .filter(([, key]) => Object.hasOwn(values, key))
        .map(([argument, key]) => [argument, values[key]]),
    );
  return {
    ...step,
    name: of(used.name, step.name),
    description: of(used.description, step.description),
    action: of(used.action, step.action),
    node: of(used.node, step.node),
    args: { ...step.args, ...known(used.args) },
    locations: { ...step.locations, ...known(used.locations) },
  };
}

/** What an invalid start is answered with, after `Error starting workflow: `. */
export class StartError extends Error {}

/**
 * Each location as the step's node is told of it. A node that has no representation of it is a KeyError there, whose
 * text is just the node's name in quotes.
 */
export function withLocations(step: StepDefinition, adapters: Surroundings, workcell: string): StepDefinition {
  const locations: JsonObject = {};
  for (const [argument, given] of Object.entries(step.locations)) {
    if (typeof given !== 'string') {
      locations[argument] = given;
      continue;
    }
    const location = adapters.location(given);
    if (location === undefined) throw new StartError(`Location ${given} not found in Workcell '${workcell}'`);
    const node = step.node ?? '';
    if (!Object.hasOwn(location.representations, node)) throw new StartError(`'${node}'`);
    locations[argument] = {
      representation: location.representations[node],
      resource_id: location.resourceId,
      location_name: location.name,
      reservation: null,
    };
  }
  return { ...step, locations };
}
