/** The messages between the page and a worker that reads for it. */
import type { InvalidRecord } from '../../../../api/client/invalidRecords.ts';
import type { ManagerErrorKind } from '../../../../api/client/managerError.ts';
import type { LabVersion } from '../../../../api/version.ts';

/** The address and version of the manager to read. */
export interface ReadTarget {
  readonly baseUrl: string;
  /** The manager's own address, if `baseUrl` is that of the relay. */
  readonly relayedTo?: string | null;
  readonly version: LabVersion | null;
  /** For reads through the relay. */
  readonly cacheControl?: string | null;
  readonly sendsCookies?: boolean;
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

export type WorkerResponse<Row, Rest> =
  | { readonly id: number; readonly rows: readonly Row[] }
  /** After the last rows, with the additional data of the response. */
  | {
      readonly id: number;
      readonly end: true;
      readonly rest: Rest;
      readonly invalid: readonly InvalidRecord[];
      readonly ageMs: number;
    }
  | { readonly id: number; readonly failure: ReadFailure };

/** Rows per message: few enough not to block the page. */
export const rowsPerMessage = 250;
