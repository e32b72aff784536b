/** Why there is no answer. */
export const failureTexts = {
  noConnection: 'no connection',
  timeout: (seconds: number) => `no answer within ${seconds} s`,
  status: (status: number, detail: string) => (detail === '' ? `HTTP ${status}` : `HTTP ${status}, ${detail}`),
  busy: 'busy, too many requests (HTTP 429)',
  notJson: 'the answer is not JSON',
  unfit: (where: string) => `the answer is not as expected at ${where}`,
  whole: 'the top',
} as const;
