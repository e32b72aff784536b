/**
 * Guards against a workflow that is sent twice by mistake: the identical one within a minute is asked about, never
 * blocked. Who has agreed once repeats it deliberately, and isn't asked again while that goes on.
 */
import { currentTime } from '../../base/clock.ts';
import { ManagerError } from '../../../api/client/managerError.ts';
import { mayHaveHappened } from './commandResult.ts';
import { same, type Judgement, type Premise } from './premise.ts';
import { duplicateTexts as texts } from './texts.ts';

const key = 'lab-manager.submitted';
/** In ms. */
export const duplicateWindowMs = 60_000;

interface Submitted {
  readonly digest: string;
  readonly at: number;
  /** The person has agreed to repeat it. */
  readonly repeated: boolean;
}

/** In the browser's storage, because a second tab sends it as easily; in memory where there is none. */
let retained: readonly Submitted[] = [];

function read(now: number): readonly Submitted[] {
  let known = retained;
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    if (Array.isArray(stored)) known = stored.filter(isSubmitted);
  } catch {
    // Unreadable or forbidden: what this page sent is enough.
  }
  return known.filter(({ at }) => now - at < duplicateWindowMs && at <= now);
}
function isSubmitted(value: unknown): value is Submitted {
  const { digest, at } = (value ?? {}) as Partial<Submitted>;
  return typeof digest === 'string' && typeof at === 'number';
}

/** The content that makes two submissions identical: definition, values, files and owner. */
export function submissionDigest(content: unknown): string {
  // Files differ by name, size and time; their content may have hundreds of megabytes.
  const text = JSON.stringify(content, (_name, value: unknown) =>
    value instanceof File ? [value.name, value.size, value.lastModified] : value,
  );
  let [a, b] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  return `${(a >>> 0).toString(36)}-${(b >>> 0).toString(36)}-${text.length}`;
}

function keep(submitted: readonly Submitted[]): void {
  retained = submitted;
  try {
    localStorage.setItem(key, JSON.stringify(retained));
  } catch {
    // Kept in memory.
  }
}

/** To be called when it is sent: also a start whose answer is lost counts. */
export function noteSubmission(digest: string, now = currentTime()): void {
  const before = read(now);
  const repeated = before.some((one) => one.digest === digest);
  keep([...before.filter((one) => one.digest !== digest), { digest, at: now, repeated }]);
}

/** Sends it, and counts it unless nothing can have been started: that is sent again without a question. */
export async function submitOnce<Answer>(digest: string, send: () => Promise<Answer>): Promise<Answer> {
  const before = read(currentTime());
  noteSubmission(digest);
  try {
    return await send();
  } catch (error) {
    const mayHaveStarted =
      error instanceof ManagerError && mayHaveHappened(error) && error.endpoint !== 'addWorkflowDefinition';
    if (!mayHaveStarted) keep(before);
    throw error;
  }
}

export function judgeRepetition(name: string, digest: string, now = currentTime()): Judgement {
  const last = read(now).find((one) => one.digest === digest);
  if (last === undefined || last.repeated) return same;
  return { is: 'changed', title: texts.title(name), differences: [texts.sent], action: texts.action };
}

export function notTwice(name: string, digest: string): Premise<null> {
  return { read: async () => null, judge: () => judgeRepetition(name, digest) };
}
