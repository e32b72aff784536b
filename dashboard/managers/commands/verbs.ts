/** What commands are called before the name of what they are sent to: `Lock arm_1`. */
export const commandVerbs: Readonly<Record<string, string>> = {
  reset: 'Reset',
  pause: 'Pause',
  resume: 'Resume',
  cancel: 'Cancel',
  lock: 'Lock',
  unlock: 'Unlock',
  shutdown: 'Shut down',
  safety_stop: 'Safety stop',
  get_location: 'Read the position of',
  retry: 'Retry',
  resubmit: 'Submit again:',
};
