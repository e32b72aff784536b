/**
 * Prevents accidental duplicate submissions: submitting an identical workflow within a minute requires a confirmation,
 * and is never blocked. After one confirmed repetition, further ones require none.
 */
import { currentTime } from '../../base/clock.ts';
import { ManagerError } from '#api/client/managerError.ts';
import { mayHaveBeenExecuted } from './commandResult.ts';
import { samePremise, type PremiseEvaluation, type Premise } from './premise.ts';

const storageKey = 'lab-manager.submitted';
/** Milliseconds during which an identical submission counts as a duplicate. */
export const duplicateWindowMs = 60_000;

interface RecentSubmission {
  readonly digest: string;
  readonly at: number;
  /** Whether the user has confirmed a repetition. */
  readonly repeated: boolean;
}

/**
 * The submissions in memory, used while storage is unavailable. Storage is preferred, because a second tab can send a
 * duplicate too.
 */
let memorySubmissions: readonly RecentSubmission[] = [];

function readSubmissions(now: number): readonly RecentSubmission[] {
  let submissions = memorySubmissions;
  try {
    const parsedSubmissions: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]');
    if (Array.isArray(parsedSubmissions)) submissions = parsedSubmissions.filter(isRecentSubmission);
  } catch {
    // Storage is unavailable or invalid; the submissions of this page are sufficient.
  }
  return submissions.filter(({ at }) => now - at < duplicateWindowMs && at <= now);
}
function isRecentSubmission(value: unknown): value is RecentSubmission {
  const { digest, at } = (value ?? {}) as Partial<RecentSubmission>;
  return typeof digest === 'string' && typeof at === 'number';
}

/** Returns a digest of the content that makes two submissions identical: definition, values, files and owner. */
export function submissionDigest(content: unknown): string {
  // Files are compared by name, size and time, because their content may be hundreds of megabytes.
  const text = JSON.stringify(content, (_name, value: unknown) =>
    value instanceof File ? [value.name, value.size, value.lastModified] : value,
  );
  let [a, b] = [0xdeadbeef, 0x41c6ce57];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  return `${(a >>> 0).toString(36)}-${(b >>> 0).toString(36)}-${text.length}`;
}

function storeSubmissions(submitted: readonly RecentSubmission[]): void {
  memorySubmissions = submitted;
  try {
    localStorage.setItem(storageKey, JSON.stringify(memorySubmissions));
  } catch {
    // Storage is unavailable; the submissions remain in memory.
  }
}

/** Records a submission. Called before the request is sent, so that a submission whose response is lost also counts. */
export function recordSubmission(digest: string, now = currentTime()): void {
  const previous = readSubmissions(now);
  const repeated = previous.some((submission) => submission.digest === digest);
  storeSubmissions([...previous.filter((submission) => submission.digest !== digest), { digest, at: now, repeated }]);
}

/**
 * Records the submission and sends it. If the manager certainly started nothing, the record is removed, so that another
 * attempt needs no confirmation.
 */
export async function submitOnce<Body>(digest: string, send: () => Promise<Body>): Promise<Body> {
  const previous = readSubmissions(currentTime());
  recordSubmission(digest);
  try {
    return await send();
  } catch (error) {
    const mayHaveStarted =
      error instanceof ManagerError && mayHaveBeenExecuted(error) && error.endpoint !== 'addWorkflowDefinition';
    if (!mayHaveStarted) storeSubmissions(previous);
    throw error;
  }
}

export function evaluateRepetition(name: string, digest: string, now = currentTime()): PremiseEvaluation {
  const last = readSubmissions(now).find((submission) => submission.digest === digest);
  if (last === undefined || last.repeated) return samePremise;
  return {
    kind: 'changed',
    title: `Submit “${name}” once more?`,
    differences: [
      'The identical workflow, with the same values, was sent from this browser less than a minute ago. It would run twice.',
    ],
    action: 'Submit once more',
  };
}

export function createDuplicatePremise(name: string, digest: string): Premise<null> {
  return { read: async () => null, evaluate: () => evaluateRepetition(name, digest) };
}
