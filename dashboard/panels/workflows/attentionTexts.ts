/** Words of what needs somebody among workflows; apart from the panel's, for the Overview needs them before the panel. */
export const attentionTexts = {
  openWorkflow: 'Open workflow',
  failed: (words: string, reason: string) => (reason === '' ? words : `${words}: ${reason}`),
  hangs: (step: string, node: string, took: string, usual: string) =>
    `${step} on ${node} runs for ${took}; earlier ones took at most ${usual}`,
} as const;
