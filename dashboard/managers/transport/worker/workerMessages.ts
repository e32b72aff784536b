/** What the page and a worker that reads for it say to each other. */
import type { InvalidRecord } from '../../../../api/client/badRecords.ts';
import type { ManagerErrorKind } from '../../../../api/client/managerError.ts';
import type { LabVersion } from '../../../../api/version.ts';

/** Where and how a manager is read. */
export interface ReadTarget {
  readonly baseUrl: string;
  readonly version: LabVersion | null;
}

export type WorkerRequest<Input> =
  | { readonly id: number; readonly target: ReadTarget; readonly input: Input }
  | { readonly id: number; readonly stop: true };

export interface ReadFailure {
  readonly kind: ManagerErrorKind;
  readonly status: number | null;
  readonly reason: string;
  readonly retryAfterMs: number | null;
}

export type WorkerAnswer<Row, Rest> =
  | { readonly id: number; readonly rows: readonly Row[] }
  /** After the last rows, with what else was found in the answer. */
  | { readonly id: number; readonly end: true; readonly rest: Rest; readonly invalid: readonly InvalidRecord[] }
  | { readonly id: number; readonly failure: ReadFailure };

/** Rows in one message: few enough that taking one in is no pause. */
export const rowsInMessage = 250;
