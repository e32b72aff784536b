/** The suite's target: the real lab or the demo lab, with the same roles in both. */
import type { ManagerKey } from '../../api/managers.ts';

/** The nodes by their roles in the suite; one node of a lab can have several roles. */
interface NodeNames {
  /** `every_argument`: ends at once. */
  readonly quick: string;
  /** `slow`: runs for `seconds`, can be cancelled, paused and resumed. */
  readonly slow: string;
  /** The same without a safety stop. */
  readonly steady: string;
  /** `count_bytes`, `use_location`, `make_files`: files and locations. */
  readonly careful: string;
  /** `fail` and `crash`. */
  readonly faulty: string;
  /** The node that the transfer planner may use. */
  readonly arm: string;
}

/** The supported MADSci versions. */
export type MadsciVersion = '0.8.1' | '0.7.1';

export interface Target {
  readonly kind: 'real' | 'demo';
  /** The version of the workcell manager, the location manager and the nodes; the others are 0.8.1. */
  readonly madsci: MadsciVersion;
  /** The addresses of the managers. */
  readonly context: Readonly<Record<ManagerKey, string>>;
  readonly nodeNames: NodeNames;
  /** The addresses of the nodes by name. */
  readonly nodeUrls: Readonly<Record<string, string>>;
  /** The folder in which each worker records its requests. */
  readonly coverageFolder: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    readonly target: Target;
  }
}

/** A target that was started for the suite. */
export interface RunningTarget {
  readonly target: Omit<Target, 'coverageFolder'>;
  stop(): Promise<void>;
}
