import { expect, it } from 'vitest';
import { ManagerError, type ManagerErrorFields } from '#api/client/managerError.ts';
import { describeFailure } from './outcome.ts';

const error = (endpoint: string, fields: Partial<ManagerErrorFields>) =>
  new ManagerError({
    manager: 'workcell',
    endpoint,
    purpose: 'do it',
    address: 'http://lab:8005/',
    kind: 'http',
    reason: 'no',
    ...fields,
  });

it.each<[string, Partial<ManagerErrorFields>, string, RegExp]>([
  [
    'addWorkflowDefinition',
    { status: 422, reason: 'body.steps: Step keys must be unique' },
    'refused',
    /refuses this definition: body\.steps: Step keys/,
  ],
  [
    'startWorkflow',
    { status: 500, reason: 'Error starting workflow: Required value x not provided' },
    'refused',
    /did not start it: Required value x/,
  ],
  ['startWorkflow', { status: 500, reason: "Error starting workflow: 'arm'" }, 'refused', /no representation for arm/],
  [
    'startWorkflow',
    { status: 429, reason: 'Rate limit', retryAfterMs: 2100 },
    'again',
    /takes more in 3 s\. Nothing was started/,
  ],
  ['addWorkflowDefinition', { status: 429, reason: 'Rate limit' }, 'again', /too many requests\. Nothing/],
  ['addWorkflowDefinition', { kind: 'unreachable', reason: 'no connection' }, 'again', /nothing was started/],
  [
    'startWorkflow',
    { kind: 'unreachable', reason: 'no connection' },
    'unclear',
    /active workflows before sending again/,
  ],
  ['startWorkflow', { kind: 'unreadable', reason: 'broke off' }, 'unclear', /active workflows before sending again/],
  ['startWorkflow', { kind: 'timeout', reason: 'timed out after 60 s' }, 'unclear', /timed out after 60 s/],
  ['addWorkflowDefinition', { kind: 'unreadable', reason: 'broke off' }, 'again', /Nothing was started yet/],
  ['startWorkflow', { kind: 'not-understood', reason: 'steps: missing' }, 'unclear', /No readable answer/],
])('a failure of %s with %o is described as %s', (endpoint, fields, kind, expected) => {
  expect(describeFailure(error(endpoint, fields))).toEqual({ kind, text: expect.stringMatching(expected) });
});

it('another error is described with its message', () => {
  expect(describeFailure(new Error('odd'))).toEqual({ kind: 'again', text: 'It could not be sent: odd.' });
});
