/**
 * Translates a manager's error to a sentence: managers put Python's object notation into their messages, with the cause
 * deep inside. Source: MADSci 0.8.1, `WorkcellClient`, `workcell_actions.transfer`, `workflow_utils.replace_locations`.
 */
import { parseErrorRepr, unquote } from './pythonRepr.ts';

/** Texts that replace the managers' technical error messages. */
export const errorTexts = {
  childFailed: (name: string, id: string, step: number, stepName: string, reason: string) =>
    `Workflow “${name}” (${id}) failed at step ${step}, ${stepName}: ${reason}`,
  childCancelled: (name: string, id: string, step: number, stepName: string) =>
    `Workflow “${name}” (${id}) was cancelled at step ${step}, ${stepName}`,
  withReason: (summary: string, reason: string) => `${summary}: ${reason}`,
  noReason: 'no reason given',
  noRepresentation: (node: string) => `a location that one of its steps uses has no representation for ${node}`,
  raw: 'Original message',
} as const;

export interface ErrorText {
  readonly text: string;
  /** The manager's original text, if it contains more than the sentence; `null` if they are equal. */
  readonly raw: string | null;
}

/** The form of MADSci's IDs. */
const ulid = '[0-9A-HJKMNP-TV-Z]{26}';
const childEnd = new RegExp(
  String.raw`^(?:Transfer workflow (?:failed during execution|was cancelled): )?Workflow (.+?) \((${ulid})\) (failed|was cancelled) on step (\d+): '(.*?)'(?: with result:\s*(.*)|\.?)$`,
  's',
);
const locationWithoutNode = /^(?:Error starting workflow: )?('[^']+'|"[^"]+")\.?$/;

/** Returns the sentence for the message of a manager's error. */
export function managerErrorText(message: string): ErrorText {
  const text = translateMessage(message.trim());
  return { text, raw: text === message.trim() ? null : message };
}

function translateMessage(message: string): string {
  const child = childEnd.exec(message);
  if (child !== null) {
    const [, name = '', id = '', outcome, index = '0', step = '', result = ''] = child;
    const number = Number(index) + 1;
    if (outcome !== 'failed') return errorTexts.childCancelled(name, id, number, step);
    return errorTexts.childFailed(name, id, number, step, formatReasons(result));
  }
  const representationMatch = locationWithoutNode.exec(message);
  if (representationMatch !== null) return errorTexts.noRepresentation(unquote(representationMatch[1] ?? ''));
  const repr = parseErrorRepr(message);
  if (repr !== null) {
    const summary = repr.prefix.replace(/(?: with result)?:?\s*$/, '');
    const parts = repr.messages.map(translateMessage).join('; ') || errorTexts.noReason;
    return summary === '' ? parts : errorTexts.withReason(summary, parts);
  }
  return message.replace(/^\[Errno -?\d+\] /, '');
}

function formatReasons(result: string): string {
  const messages = parseErrorRepr(result)?.messages ?? [];
  return messages.map(translateMessage).join('; ') || errorTexts.noReason;
}

/** A part of a sentence; one with a workflow's ID is a link to its page. */
interface ErrorPart {
  readonly text: string;
  readonly workflow?: string;
}

/** Splits a sentence into parts, with workflow IDs as separate parts. */
export function splitErrorText(text: string): readonly ErrorPart[] {
  const parts: ErrorPart[] = [];
  let start = 0;
  for (const match of text.matchAll(new RegExp(`(?<![0-9A-Z])${ulid}(?![0-9A-Z])`, 'g'))) {
    const preceding = text.slice(start, match.index);
    if (!/workflow[^.;]*$/i.test(preceding)) continue;
    if (preceding !== '') parts.push({ text: preceding });
    parts.push({ text: match[0], workflow: match[0] });
    start = match.index + match[0].length;
  }
  const remainingText = text.slice(start);
  return remainingText === '' ? parts : [...parts, { text: remainingText }];
}

/** An error object as managers return it: `{message, error_type}`, either of which may be missing. */
interface ServedError {
  readonly message?: string | null | undefined;
  readonly error_type?: string | null | undefined;
}

/** Returns the texts of all errors that have a message or a type. */
export function toErrorTexts(errors: readonly ServedError[] | null | undefined): readonly ErrorText[] {
  return (errors ?? []).flatMap(({ message, error_type: type }) => {
    const text = message || type || '';
    return text === '' ? [] : [managerErrorText(text)];
  });
}
