/** What an operation on resources can't do. */
import { Refusal } from '../base/handling.ts';

/** Answered as status 500 with the reason, by nearly all operations. */
export class OperationError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'OperationError';
  }
}

/** pydantic's words for one value that a model refuses, as they stand in the reason of a 500. */
export function modelError(model: string, field: string, why: string): OperationError {
  return new OperationError(`1 validation error for ${model}\n${field}\n  ${why}`);
}

/** What the operations refuse, as the handlers' 500; `status` where the real one says another. */
export function refusing<T>(change: () => T, status = 500): T {
  try {
    return change();
  } catch (error) {
    if (error instanceof OperationError) throw new Refusal(status, error.message);
    throw error;
  }
}
