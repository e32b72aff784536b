/** Texts about the outcomes of commands. */
import { managerTitle, type ManagerKey } from '#api/managers.ts';
import { exactText, stringifyExactJson } from '#api/exactJson.ts';
export const outcomeTexts = {
  region: 'Outcomes of actions',
  sending: 'sent, waiting for the answer…',
  unreadable: (reason: string, stateText: string) =>
    `No readable answer: ${reason}.${stateText === '' ? ' Check the state before trying again.' : ` Afterwards: ${stateText}.`}`,
  reported: (manager: string, message: string) => `The ${manager} reported: “${message.replace(/\.$/, '')}”.`,
} as const;

/** About the check of the premise before a command is sent. */
export const premiseTexts = {
  timeout: (ms: number) => `no answer within ${ms / 1000} s`,
} as const;

/** About the response to a submission. */
export const submissionTexts = {
  startedTwice: (count: number) =>
    `${count} were started: the browser or a proxy has repeated the request. This page sent it once.`,
} as const;

/** About a manager whose address no source sets. */
export const addressTexts = {
  title: (manager: ManagerKey) => `Is this your lab’s ${managerTitle(manager)}?`,
  unset: (url: string) =>
    `No setting contains its address, so the default ${url} applies. If another lab runs there, the command goes to that lab.`,
} as const;

/** About deferred cancels of this page. */
export const deferredCancelTexts = {
  commandText: (name: string) => `Cancel “${name}”`,
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
