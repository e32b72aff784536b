import { afterEach, expect, it } from 'vitest';
import { nextTick } from 'vue';
import { respondAsLab } from '../../fixtures/workcellResponses.ts';
import { mountComponent } from '../../fixtures/mounted.ts';
import ShellNotices from './ShellNotices.vue';

type Bridge = NonNullable<typeof window.labManagerNotices>;
type Listener = Parameters<Bridge['onNotices']>[0];

afterEach(() => {
  Reflect.deleteProperty(window, 'labManagerNotices');
});

function mountNotices() {
  respondAsLab();
  const pressed: (readonly string[])[] = [];
  let listener: Listener = () => undefined;
  const bridge: Bridge = {
    onNotices: (next) => void (listener = next),
    press: (id, press) => void pressed.push([id, press]),
  };
  Object.assign(window, { labManagerNotices: bridge });
  return {
    ...mountComponent(ShellNotices, {}),
    pressed,
    show: (...notices: Parameters<Listener>[0]) => listener(notices),
  };
}

const update = { id: 'update', severity: 'attention', text: 'Version 2.0.0 of Lab Manager is available.' } as const;

it('a notice reports presses of its action and of its close button to the shell', async () => {
  const { page, pressed, show } = mountNotices();
  show({ ...update, action: 'Update…', isClosable: true });
  await nextTick();
  page.getByRole('button', { name: 'Update…' }).click();
  page.getByRole('button', { name: `Close: ${update.text}` }).click();
  expect(pressed).toEqual([
    ['update', 'action'],
    ['update', 'close'],
  ]);
});

it('a notice shows the progress of a download next to its unchanged text', async () => {
  const { page, show } = mountNotices();
  show({ ...update, progress: 41 });
  await nextTick();
  expect(page.getByRole('progressbar').getAttribute('value')).toBe('41');
  expect(page.getByRole('status').textContent).toBe(update.text);
  show(update);
  await nextTick();
  expect([page.queryAllByRole('progressbar').length, page.queryAllByRole('button').length]).toEqual([0, 0]);
});
