import { describe, expect, it, vi } from 'vitest';
import { click, mountComponent } from '#dashboard/fixtures/mounted.ts';
import type { CheckGroup } from './preflight.ts';
import PreflightCard from './PreflightCard.vue';
import { submitTexts as texts } from './texts.ts';

const group = (
  title: string,
  worst: CheckGroup['worst'],
  line: Partial<CheckGroup['lines'][number]> = {},
): CheckGroup => ({
  title,
  worst,
  lines: [{ status: worst, text: `about ${title}`, path: null, ...line }],
});
const card = (groups: CheckGroup[], props: object = {}) =>
  mountComponent(PreflightCard, {
    lastCheck: { result: { groups, worst: 'ok' }, at: 0, input: '' },
    isOutdated: false,
    isChecking: false,
    ...props,
  });

describe('the card of the check before sending', () => {
  it('collapses passed checks into one line, but not a warning', async () => {
    const steps = Array.from({ length: 300 }, (_, index) => group(`Step ${index + 1}`, index === 7 ? 'warning' : 'ok'));
    const { page } = card(steps);
    expect(page.getAllByText('299 without findings')).toHaveLength(1);
    expect(page.getAllByText('Step 8')).toHaveLength(1);
    expect(page.queryByText('Step 9')).toBeNull();
  });

  it('shows a few passed checks one by one', () => {
    const { page } = card([group('Managers', 'ok'), group('Step 1', 'ok')]);
    expect(page.getAllByText('Managers')).toHaveLength(1);
    expect(page.queryByText('2 without findings')).toBeNull();
  });

  it('links to the place of a problem in the text', async () => {
    const onGoToOffset = vi.fn();
    const { page } = card([group(texts.definition, 'problem', { from: 12 })], { onGoToOffset });
    await click(page.getByRole('button', { name: `about ${texts.definition}` }));
    expect(onGoToOffset).toHaveBeenCalledWith(12);
  });
});
