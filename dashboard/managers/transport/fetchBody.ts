/** One request to the lab manager: deadline, status, JSON, schema. Every way it can fail is said in words. */
import { failureTexts } from './texts.ts';

/** As much of a zod schema as is needed here; the schemas themselves live in `api/`. */
export interface Schema<Body> {
  safeParse(
    value: unknown,
  ): { success: true; data: Body } | { success: false; error: { issues: readonly { path: readonly PropertyKey[] }[] } };
}

/** Why there is no answer; `message` is the reason in words. */
export class AnswerError extends Error {
  override readonly name = 'AnswerError';
  /** How long the server asked us to wait, in ms. */
  readonly retryAfter: number;

  constructor(message: string, retryAfter = 0) {
    super(message);
    this.retryAfter = retryAfter;
  }
}

/** The whole exchange, the body included, in ms. */
export const deadline = 5000;

/**
 * The body of `url`, parsed by `schema`.
 * @throws AnswerError with the reason; the signal's own reason when `signal` was aborted.
 */
export async function fetchBody<Body>(url: string, schema: Schema<Body>, signal: AbortSignal): Promise<Body> {
  const late = AbortSignal.timeout(deadline);
  try {
    const response = await fetch(url, {
      signal: AbortSignal.any([signal, late]),
      cache: 'no-cache',
      headers: { accept: 'application/json' },
    });
    return await readBody(response, schema);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (late.aborted) throw new AnswerError(failureTexts.timeout(deadline / 1000));
    if (error instanceof AnswerError) throw error;
    throw new AnswerError(failureTexts.noConnection);
  }
}

async function readBody<Body>(response: Response, schema: Schema<Body>): Promise<Body> {
  const text = await response.text();
  const value = parseJson(text);
  if (response.status === 429) throw new AnswerError(failureTexts.busy, waitAsked(response));
  if (!response.ok) throw new AnswerError(failureTexts.status(response.status, detailOf(value)));
  if (value === undefined) throw new AnswerError(failureTexts.notJson);
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues[0]?.path.map(String).join('.') ?? '';
  throw new AnswerError(failureTexts.unfit(where === '' ? failureTexts.whole : where));
}

/** `undefined` is what JSON can't say, so it stands for "not JSON". */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function detailOf(value: unknown): string {
  if (typeof value !== 'object' || value === null || !('detail' in value)) return '';
  return typeof value.detail === 'string' ? value.detail.slice(0, 200) : '';
}

function waitAsked(response: Response): number {
  const seconds = Number(response.headers.get('retry-after'));
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : 0;
}
