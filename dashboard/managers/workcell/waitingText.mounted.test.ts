import { expect, it } from 'vitest';
import { mountComponent } from '../../fixtures/mounted.ts';
import { sampleStep, sampleWorkflow } from '../../fixtures/sampleWorkflow.ts';
import { respondAsLab } from '../../fixtures/workcellResponses.ts';
import WaitingText from './WaitingText.vue';

it.each([
  [true, /^Blocked .+ · arm in error$/],
  [false, /^arm in error$/],
])('the reason has the duration in front if it needs a person (needs one: %j)', (attention, expected) => {
  respondAsLab();
  const workflow = sampleWorkflow({ submitted_time: '2026-11-21T14:10:00', steps: [sampleStep({ node: 'arm' })] });
  const waiting = { parts: [{ text: 'arm', node: 'arm' }, { text: ' in error' }], attention };
  const { page } = mountComponent(WaitingText, { waiting, workflow });
  expect(page.getByText(/in error/).textContent.trim()).toMatch(expected);
});
