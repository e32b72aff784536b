/**
 * Which of several values counts. Layers are ranked by where they come from alone; the spelling of a key
 * matters only within one layer, where the prefixed one wins.
 */
import type { RawValue } from './reading.ts';
import type { SettingName } from '../schema/table.ts';
import type { Origin, SettingsProblem } from '../schema/types.ts';
import { makeProblem } from './problem.ts';

/** A setting's raw value and where it stood. */
export interface Candidate {
  readonly name: SettingName;
  /** Written with the prefix; sources with one spelling only say true. */
  readonly prefixed: boolean;
  readonly raw: RawValue;
  readonly origin: Origin;
  readonly column: number | null;
}

/** What one source says: a file, the environment, the arguments, the command line. */
export type Layer = readonly Candidate[];

/** The winning finding of each setting. Layers come lowest rank first; within one, a later finding beats an earlier. */
export function mergeLayers(layers: readonly Layer[]): ReadonlyMap<SettingName, Candidate> {
  const winners = new Map<SettingName, { readonly candidate: Candidate; readonly rank: number }>();
  for (const [rank, layer] of layers.entries()) {
    for (const candidate of layer) {
      const other = winners.get(candidate.name);
      if (other === undefined || other.rank < rank || candidate.prefixed || !other.candidate.prefixed) {
        winners.set(candidate.name, { candidate, rank });
      }
    }
  }
  return new Map([...winners].map(([name, { candidate }]) => [name, candidate]));
}

/**
 * The finding behind `/context`'s `lab_server_url`: that of `server_url`, unless a `context.*` file says it and ranks
 * higher. Returns `undefined` when nobody says anything.
 */
export function mergeLabAddress(layers: readonly Layer[]): Candidate | undefined {
  const both = layers.map((layer) =>
    layer.flatMap((candidate) =>
      candidate.name === 'server_url' || candidate.name === 'lab_server_url'
        ? [{ ...candidate, name: 'lab_server_url' as const }]
        : [],
    ),
  );
  return mergeLayers(both).get('lab_server_url');
}

/** A warning about a value that is valid, where it was set. */
export function warningOf(
  { origin: { source, path, line, name }, column }: Candidate,
  facts: { readonly value: string; readonly message: string; readonly expected: string },
): SettingsProblem {
  return makeProblem({ severity: 'warning', source, path, line, column, key: name, ...facts });
}
