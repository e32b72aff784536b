/** Making a `SettingsProblem`: every field stated once, secrets never in it. */
import { cleanText, oneLine } from '../../logging/text.ts';
import { allSettings } from '../schema/table.ts';
import type { SettingsProblem } from '../schema/types.ts';

const secretWords = /password|passwd|token|secret|credential|api_?key|webhook/i;
const secretSettings = allSettings.filter(({ secret }) => secret).map(({ name }) => name);
const credentialsInUrl = /([a-z][a-z0-9+.-]*:\/\/)[^/?#@\s]*@/gi;
const cutCredentials = /([a-z][a-z0-9+.-]*:\/\/)[^/?#@\s]*(?:@|$)/gi;
const longestValue = 200;
const longestLooked = 1000;
const longestKey = 100;

/** Whether a key, in whatever spelling a source has for it, stands before a secret: `--lab-notify-webhook-url`. */
function isSecretKey(key: string): boolean {
  const name = key.toLowerCase().replace(/[^a-z\d]+/g, '_');
  return secretWords.test(key) || secretSettings.some((setting) => name.endsWith(setting));
}

/** Items of a list or mapping that are shown, and levels; beyond that there is `…`. A value may hold itself (YAML aliases). */
const shownItems = 10;
const shownLevels = 3;

/** Any value as JSON-like text of bounded length. */
function valueText(value: unknown, levels: number): string {
  if (typeof value === 'string') {
    return JSON.stringify(value.slice(0, longestValue + 1));
  }
  if (typeof value !== 'object' || value === null || value instanceof Date) {
    return value instanceof Date ? JSON.stringify(value) : String(value);
  }
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  if (levels === 0) {
    return `${open}…${close}`;
  }
  const entries = Object.entries(value);
  const items = entries.slice(0, shownItems).map(([key, item]: [string, unknown]) => {
    const text = !Array.isArray(value) && isSecretKey(key) ? '***REDACTED***' : valueText(item, levels - 1);
    return Array.isArray(value) ? text : `${JSON.stringify(key.slice(0, longestKey))}:${text}`;
  });
  return `${open}${[...items, ...(entries.length > shownItems ? ['…'] : [])].join(',')}${close}`;
}

/**
 * A value as text that may be shown: values of keys that look like secrets are hidden whole, user and password in
 * addresses are hidden, long ones are cut, and what steers a terminal is taken away.
 */
export function redact(key: string | null, value: unknown): string {
  if (key !== null && isSecretKey(key)) {
    return '***REDACTED***';
  }
  const text = typeof value === 'string' ? value : valueText(value, shownLevels);
  // Only so much is looked at; where the cut goes through an address, its end counts as the end of the password.
  const start = text.slice(0, longestLooked);
  const safe = start.replace(text.length > longestLooked ? cutCredentials : credentialsInUrl, '$1***@');
  return cleanText(safe, longestValue + 1);
}

/** A problem from what is known of it; `value` is redacted here. */
export function makeProblem(
  known: Pick<SettingsProblem, 'severity' | 'source' | 'message'> &
    Partial<Omit<SettingsProblem, 'value'>> & { readonly value?: unknown },
): SettingsProblem {
  const { value, key = null, message, ...rest } = known;
  return {
    path: null,
    line: null,
    column: null,
    expected: null,
    ...rest,
    // Both may come out of a file.
    key: key === null ? null : cleanText(key, longestKey),
    message: cleanText(message),
    value: value === undefined ? null : redact(key, value),
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
  return oneLine(`${where}: ${what}${problem.message}${advice}`);
}
