/** A busy lab for 45 s: the pages agree with the managers' responses. `npm run soak` runs it for longer. */
import { expect, test } from '../support/demoLab.ts';
import { withMotion } from '../support/browser/withMotion.ts';
import { DemoLoad, demoTiming } from '../soak/demoLoad.ts';
import { soak, describeContradictions } from '../soak/soak.ts';

test.use(withMotion);

test('pages show only true states of workflows and nodes and never an older state after a newer one', async ({
  context,
  demo,
}) => {
  const { lab, url } = await demo({ timing: demoTiming });
  const load = new DemoLoad(lab, 30);
  const { contradictions, comparedTexts } = await soak({
    load,
    context,
    url,
    minutes: 0.75,
    workflows: 12,
    recordIntervalMs: 40,
  });
  expect(describeContradictions(contradictions)).toEqual([]);
  expect(comparedTexts).toBeGreaterThan(50);
});
