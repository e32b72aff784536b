/** Whatever writes settings in this process comes one after the other, also what reads to write or to take it back. */

let last: Promise<unknown> = Promise.resolve();

/** Runs the work when what was asked for before is done, however that ended. Never from within such work. */
export function inTurn<Result>(work: () => Result | Promise<Result>): Promise<Result> {
  const result = last.then(work);
  // The caller has the error; the next only waits for the end.
  last = result.catch(() => null);
  return result;
}
