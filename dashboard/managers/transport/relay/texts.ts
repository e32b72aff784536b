/** Texts about the relay of the lab manager. */
export const relayTexts = {
  viewOnly:
    'The managers are reached through the lab manager, which passes on no commands (LAB_REMOTE_ACCESS is view).',
  viewer: 'The managers are reached through the lab manager, which passes on no commands of viewers.',
} as const;
