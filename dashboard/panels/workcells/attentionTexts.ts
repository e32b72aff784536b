/** Words of what needs somebody in a workcell; apart from the panel's, for the Overview needs them before the panel. */
export const attentionTexts = {
  openNode: 'Open node',
  openWorkcell: 'Open workcell',
  workcellErrored: 'The workcell’s engine has stopped: no step starts until the workcell manager is restarted',
  engineHeadline: (workcell: string) => `engine of ${workcell} stopped`,
  because: (what: string, reason: string) => `${what}: ${reason}`,
  waitForIt: (reason: string, count: number) =>
    `${reason.replace(/\.$/, '')}. ${count === 1 ? 'One workflow waits for it.' : `${count} workflows wait for it.`}`,
  /** @param flags what it is besides, in words */
  headline: (node: string, is: string, flags: readonly string[]) =>
    flags.length === 0 ? `${node} ${is}` : `${node} ${is} (${flags.join(', ')})`,
  is: {
    disconnected: 'unreachable',
    stopped: 'stopped',
    errored: 'in error',
    unconfigured: 'not configured',
    notReady: 'not ready',
  } as Readonly<Record<string, string>>,
} as const;
