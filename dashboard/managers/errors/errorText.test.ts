import { describe, expect, it } from 'vitest';
import { splitErrorText, managerErrorText, toErrorTexts, errorTexts as texts } from './errorText.ts';
import { unquote } from './pythonRepr.ts';

const id = '01M7YEVB2R7MFAXG5HCXD0PDDV';
/** Formats the result of an action as Python does. */
const result = (errors: string) =>
  `action_id='01M815MJ9D44CMP2VBSNSJ9MX3' status=<ActionStatus.FAILED: 'failed'> errors=[${errors}] json_result=None files=None datapoints=None history_created_at=datetime.datetime(2026, 11, 22, 8, 23, 21, tzinfo=datetime.timezone(datetime.timedelta(0), 'UTC'))`;
const error = (literal: string) =>
  `Error(message=${literal}, logged_at=datetime.datetime(2026, 11, 22, 8, 23, 21, 133405), error_type='GripError')`;
const transferFailure = (errors: string) =>
  `Transfer workflow failed during execution: Workflow Move it (${id}) failed on step 0: 'pick' with result:\n ${result(errors)}.`;
/** Formats a string within a string as Python does. */
const quoted = (text: string) =>
  `'${text
    .replaceAll('\\', '\\\\')
    .replaceAll("'", String.raw`\'`)
    .replaceAll('\n', String.raw`\n`)}'`;

describe('managerErrorText', () => {
  it.each([
    ['a plain message is unchanged', 'out of tips', 'out of tips'],
    ['a system error number is removed', '[Errno 111] Connection refused', 'Connection refused'],
    [
      'a transfer names its failed workflow, location and reason',
      transferFailure(error(`"Gripper didn't close at 'B2'"`)),
      texts.childFailed('Move it', id, 1, 'pick', "Gripper didn't close at 'B2'"),
    ],
    [
      'all of several errors are listed',
      transferFailure(`${error("'stalled'")}, ${error(String.raw`'at \'B2\'\nagain'`)}`),
      texts.childFailed('Move it', id, 1, 'pick', "stalled; at 'B2'\nagain"),
    ],
    ['an object without an error', transferFailure(''), texts.childFailed('Move it', id, 1, 'pick', texts.noReason)],
    [
      'an error without a message',
      transferFailure(error('None')),
      texts.childFailed('Move it', id, 1, 'pick', texts.noReason),
    ],
    [
      'a transfer within a transfer',
      transferFailure(error(quoted(transferFailure(error("'stalled'"))))),
      texts.childFailed('Move it', id, 1, 'pick', texts.childFailed('Move it', id, 1, 'pick', 'stalled')),
    ],
    [
      'a cancelled transfer',
      `Transfer workflow failed during execution: Workflow Move it (${id}) was cancelled on step 2: 'place'.`,
      texts.childCancelled('Move it', id, 3, 'place'),
    ],
    ['any other object', `Giving up: ${result(error("'stalled'"))}`, texts.withReason('Giving up', 'stalled')],
    ['a list of errors', `[${error("'stalled'")}]`, 'stalled'],
    ['a location that is unknown to a node', "Error starting workflow: 'n1'", texts.noRepresentation('n1')],
    ['the same message in double quotes', `Error starting workflow: "n'1"`, texts.noRepresentation("n'1")],
    [
      'another message at the start',
      'Error starting workflow: Node n not in Workcell W',
      'Error starting workflow: Node n not in Workcell W',
    ],
  ])('converts an error: %s', (_name, raw, message) => {
    const { text, raw: originalText } = managerErrorText(raw);
    expect(text).toBe(message);
    expect(originalText).toBe(message === raw ? null : raw);
    expect(text).not.toMatch(/datetime|action_id|ActionStatus/);
  });

  it('decodes the escapes of Python in quoted messages', () => {
    expect(unquote(String.raw`'a\tb\x41\u00e9\\n\'q'`)).toBe(String.raw`a	bAé\n'q`);
  });
});

describe('splitErrorText', () => {
  it('links the IDs of workflows and leaves other IDs as text', () => {
    const text = texts.childFailed('Move', id, 1, 'pick', `resource 01M7YEVB2R7MFAXG5HCXD0PDDW is gone`);
    expect(splitErrorText(text).flatMap(({ workflow }) => workflow ?? [])).toEqual([id]);
    expect(
      splitErrorText(text)
        .map((part) => part.text)
        .join(''),
    ).toBe(text);
    expect(splitErrorText('no ID at all')).toEqual([{ text: 'no ID at all' }]);
  });
});

it('toErrorTexts shows the type of an error without a message and omits an error without both', () => {
  expect(toErrorTexts([{ error_type: 'TipError' }, {}, { message: 'out of tips' }]).map(({ text }) => text)).toEqual([
    'TipError',
    'out of tips',
  ]);
  expect(toErrorTexts(null)).toEqual([]);
});
