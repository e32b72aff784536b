/** Making a `SettingsProblem`: every field stated once, secrets never in it. */
import type { SettingsProblem } from './types.ts';

const secretKey = /password|passwd|token|secret|credential|api_?key/i;
const credentialsInUrl = /([a-z][a-z0-9+.-]*:\/\/)[^/?#@\s]*@/gi;
const longestValue = 200;

/**
 * A value as text that may be shown: values of keys that look like secrets are hidden whole, user and password in
 * addresses are hidden, long ones are cut.
 */
export function redact(key: string | null, value: unknown): string {
  if (key !== null && secretKey.test(key)) {
    return '***REDACTED***';
  }
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  const safe = text.replace(credentialsInUrl, '$1***@');
  return safe.length > longestValue ? `${safe.slice(0, longestValue)}…` : safe;
}

/** A problem from what is known of it; `value` is redacted here. */
export function makeProblem(
  known: Pick<SettingsProblem, 'severity' | 'source' | 'message'> &
    Partial<Omit<SettingsProblem, 'value'>> & { readonly value?: unknown },
): SettingsProblem {
  const { value, ...rest } = known;
  return {
    path: null,
    line: null,
    column: null,
    key: null,
    expected: null,
    ...rest,
    value: value === undefined ? null : redact(known.key ?? null, value),
  };
}

/**
 * A problem in one line: `/lab/settings.yaml:12:3: lab_server_url = "ftp://x": has the scheme ftp, not http or https;
 * expected: …`.
 */
export function formatProblem(problem: SettingsProblem): string {
  const { path, line, column, key, value, expected } = problem;
  const where = path === null ? problem.source : [path, line, column].filter((part) => part !== null).join(':');
  const what = key === null ? '' : value === null ? `${key}: ` : `${key} = ${JSON.stringify(value)}: `;
  const advice = expected === null ? '' : expected.endsWith('?') ? `; ${expected}` : `; expected: ${expected}`;
  return `${where}: ${what}${problem.message}${advice}`;
}
