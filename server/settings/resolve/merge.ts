/**
 * Which of several values counts. Layers are ranked by where they come from alone (decision 11); the spelling of a key
 * matters only within one layer, where the prefixed one wins (decision 12).
 */
import type { RawValue } from '../readers/reading.ts';
import type { SettingName } from '../schema/table.ts';
import type { Origin } from '../schema/types.ts';

/** A setting's raw value and where it stood. */
export interface Finding {
  readonly name: SettingName;
  /** Written with the prefix; sources with one spelling only say true. */
  readonly prefixed: boolean;
  readonly raw: RawValue;
  readonly origin: Origin;
  readonly column: number | null;
}

/** What one source says: a file, the environment, the arguments, the command line. */
export type Layer = readonly Finding[];

/** The winning finding of each setting. Layers come lowest rank first; within one, a later finding beats an earlier. */
export function mergeLayers(layers: readonly Layer[]): ReadonlyMap<SettingName, Finding> {
  const winners = new Map<SettingName, { readonly finding: Finding; readonly rank: number }>();
  for (const [rank, layer] of layers.entries()) {
    for (const finding of layer) {
      const other = winners.get(finding.name);
      if (other === undefined || other.rank < rank || finding.prefixed || !other.finding.prefixed) {
        winners.set(finding.name, { finding, rank });
      }
    }
  }
  return new Map([...winners].map(([name, { finding }]) => [name, finding]));
}

/**
 * The finding behind `/context`'s `lab_server_url`: that of `server_url`, unless a `context.*` file says it and ranks
 * higher. Returns `undefined` when nobody says anything.
 */
export function mergeLabAddress(layers: readonly Layer[]): Finding | undefined {
  const both = layers.map((layer) =>
    layer.flatMap((finding) =>
      finding.name === 'server_url' || finding.name === 'lab_server_url'
        ? [{ ...finding, name: 'lab_server_url' as const }]
        : [],
    ),
  );
  return mergeLayers(both).get('lab_server_url');
}
