/** The messages between the page and a worker that reads for it. */
import type { InvalidRecord } from '#api/client/invalidRecords.ts';
import type { ManagerErrorKind } from '#api/client/managerError.ts';
import type { LabVersion } from '#api/version.ts';

/** The address and version of the manager to read. */
export interface ReadTarget {
  readonly baseUrl: string;
  /** The manager's own address, if `baseUrl` is that of the relay. */
  readonly relayedTo?: string | null;
  readonly version: LabVersion | null;
  /** The Cache-Control header that is sent with reads through the relay. */
  readonly cacheControl?: string | null;
  /** True for the relay, which identifies its users by the cookies of this origin. */
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

export type WorkerResponse<Row, Extra> =
  | { readonly id: number; readonly rows: readonly Row[] }
  /** After the last rows, with the data of the response that are not rows. */
  | {
      readonly id: number;
      readonly end: true;
      readonly extra: Extra;
      readonly invalid: readonly InvalidRecord[];
      readonly ageMs: number;
    }
  | { readonly id: number; readonly failure: ReadFailure };

/** Rows per message: few enough not to block the page. */
export const rowsPerMessage = 250;
