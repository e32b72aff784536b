/** What an operation on resources can't do. */
import { Refusal } from '../base/handling.ts';
import type { Row } from './row.ts';

/** Answered as status 500 with the reason, by nearly all operations. */
export class OperationError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'OperationError';
  }
}

/** What the type of a row can't do: `Resource 'x' with type stack is not a container.` */
export function typeError({ resource_name: name, base_type: type }: Row, rest: string): OperationError {
  return new OperationError(`Resource '${name}' with type ${type} ${rest}`);
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
