/** Words that every layer uses. */
export const commonTexts = {
  name: 'Lab Manager',
  tryAgain: 'Try again',
  reload: 'Reload',
  dismiss: 'Dismiss',
  retryNow: 'Retry now',
  close: 'Close',
  cancel: 'Cancel',
} as const;
