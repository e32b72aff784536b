/** Sends what carries its own ID; where no answer can be read, looks whether it was stored all the same. */
import { ManagerError } from '../../../api/client/managerError.ts';
import { mayHaveHappened } from '../commands/commandResult.ts';

/** @throws what `send` throws, where `find` finds nothing */
export async function sendOnce<Stored>(send: () => Promise<Stored>, find: () => Promise<Stored>): Promise<Stored> {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof ManagerError) || !mayHaveHappened(error)) throw error;
    try {
      return await find();
    } catch {
      throw error;
    }
  }
}
