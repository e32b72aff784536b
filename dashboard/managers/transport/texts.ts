/** Why there is no answer. */
export const failureTexts = {
  status: (status: number, detail: string) => (detail === '' ? `HTTP ${status}` : `HTTP ${status}, ${detail}`),
  busy: 'busy, too many requests (HTTP 429)',
} as const;
