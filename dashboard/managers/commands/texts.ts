/** Texts about the outcomes of commands. */
import { managerTitle, type ManagerKey } from '#api/managers.ts';
import { exactText, stringifyExactJson } from '#api/exactJson.ts';
export const outcomeTexts = {
  region: 'Outcomes of actions',
  sending: 'sent, waiting for the answer…',
  unreadable: (reason: string, stateText: string) =>
    `No readable answer: ${reason}.${stateText === '' ? ' Check the state before trying again.' : ` Afterwards: ${stateText}.`}`,
  reported: (manager: string, message: string) => `The ${manager} reported: “${message.replace(/\.$/, '')}”.`,
  otherAddress: (manager: string, url: string) =>
    `The ${manager} reports the address “${url}”. Check the state before trying again.`,
  emptyReport: (manager: string) => `The ${manager} answered without a result. Check the state before trying again.`,
  refusedBecause: (reason: string) => `The node refused: ${reason}`,
  dismiss: (what: string) => `Dismiss: ${what}`,
  outcome: (state: string, what: string, text: string) => `${what}: ${state}. ${text}`,
} as const;

/** About the check of the premise before a command is sent. */
export const premiseTexts = {
  timeout: (ms: number) => `no answer within ${ms / 1000} s`,
  changedTitle: (what: string) => `The state has changed. ${what}?`,
  unread: (what: string, reason: string) =>
    `“${what}” has not been sent: the current state could not be read (${reason}). It may have changed since it was shown.`,
  sends: (what: string) => `Will be sent: ${what}.`,
} as const;

/** About a workflow that was submitted shortly before. */
export const duplicateTexts = {
  title: (name: string) => `Submit “${name}” once more?`,
} as const;

/** About the response to a submission. */
export const submissionTexts = {
  submitted: (name: string) => `Submit “${name}”`,
  startedTwice: (count: number) =>
    `${count} were started: the browser or a proxy has repeated the request. This page sent it once.`,
  otherWorkflow: (name: string) =>
    `The workcell manager answered with the workflow “${name}”, which is not the one that was sent. Check both before sending it again.`,
} as const;

/** About a manager whose address no source sets. */
export const addressTexts = {
  title: (manager: ManagerKey) => `Is this your lab’s ${managerTitle(manager)}?`,
  unset: (url: string) =>
    `No setting contains its address, so the default ${url} applies. If another lab runs there, the command goes to that lab.`,
} as const;

/** The reason why a confirmed command is not sent. */
export const notSentTexts = {
  noManager: (manager: string) => `No ${manager} manager is configured.`,
  refused: (reason: string) => `Not sent: the state has changed. ${reason}`,
} as const;

/** About deferred cancels of this page. */
export const deferredCancelTexts = {
  commandText: (name: string) => `Cancel “${name}”`,
  until: (node: string) => `is held until ${node} is free.`,
  withdrawOne: (name: string) => `Don’t cancel ${name}`,
  deferredByPage: (node: string) => `Held by this page: it is cancelled when ${node} is free.`,
  workflowEnded: (text: string) => `It ended before that (${text}).`,
  unchanged: (text: string) => `The workcell manager agreed, but the workflow is still: ${text}.`,
  unread: (reason: string) => `The state could not be read, so nothing is sent for now: ${reason}.`,
} as const;

/** A field that was edited here and changed by another user since it was opened. */
export const conflictTexts = {
  conflict: (field: string, initial: string, current: string, edited: string) =>
    `${field}: it was ${initial}, is now ${current}, and would be ${edited}`,
  value: (value: unknown) =>
    value === null || value === undefined || value === ''
      ? 'not set'
      : typeof value === 'string' && exactText(value) === null
        ? `“${value}”`
        : value === true
          ? 'yes'
          : value === false
            ? 'no'
            : stringifyExactJson(value),
} as const;
