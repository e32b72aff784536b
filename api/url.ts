/** Parses URLs that may be invalid. */

/**
 * Returns the parsed URL; `null` if `text` is invalid or `null`. `base` as in `new URL()`.
 *
 * `URL.canParse` is not used anywhere: after some thousand calls, Node 20 returns `false` for valid URLs with the
 * characters U+0080 to U+00FF.
 */
export function tryParseUrl(text: string | null, base?: string): URL | null {
  if (text === null) return null;
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
