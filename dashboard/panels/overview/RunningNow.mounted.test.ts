import { expect, it } from 'vitest';
import { respondAsLab } from '../../fixtures/workcellResponses.ts';
import { mountComponent } from '../../fixtures/mounted.ts';
import RunningNow from './RunningNow.vue';

it.each([
  [false, 1],
  [true, 0],
])(
  'the link to the submit page is shown without running workflows, except on a wall screen (wall screen: %j)',
  (kiosk, links) => {
    respondAsLab();
    const { page } = mountComponent(RunningNow, {
      workflows: [],
      now: 0,
      parseStamp: () => null,
      failedManager: null,
      kiosk,
    });
    expect(page.queryAllByRole('link', { name: 'Submit workflow' })).toHaveLength(links);
  },
);
