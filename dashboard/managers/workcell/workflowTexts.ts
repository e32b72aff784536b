/** Words about the state of workflows, wherever they are shown. */
/** Of a workflow that was paused or cancelled while a node still executes it. */
export const finishingStates = { paused: 'Pausing', cancelled: 'Cancelling' } as const;

export const workflowStateTexts = {
  running: (step: number, total: number) => `Running step ${step} of ${total}`,
  between: (step: number, total: number) => `Running: step ${step} of ${total} is next`,
  paused: (step: number, total: number) => `Paused at step ${step} of ${total}`,
  failed: (step: number, total: number) => `Failed at step ${step} of ${total}`,
  cancelled: (step: number, total: number) => `Cancelled at step ${step} of ${total}`,
  finishing: (state: 'paused' | 'cancelled', node: string, step: number) =>
    `${finishingStates[state]}: ${node} is still finishing step ${step}`,
  queuedAt: (step: number, total: number) => `Queued for step ${step} of ${total}`,
  queued: 'Queued',
  completed: 'Completed',
  noSteps: 'without steps',
  builtIn: 'workcell',
  unnamed: (index: number) => `Step ${index + 1}`,
} as const;
