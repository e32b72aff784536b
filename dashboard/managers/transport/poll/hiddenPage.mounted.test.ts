/** Tests a page that was never visible: the app started in the tray, or a tab opened in the background. */
import { h } from 'vue';
import { expect, it, vi } from 'vitest';
import { mountComponent } from '#dashboard/fixtures/mounted.ts';
import { usePoll } from './poll.ts';
import { managerQueryKey } from './queryKey.ts';

it('a page sends its first request when it becomes visible', async () => {
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  let requests = 0;
  const { page } = mountComponent({
    setup() {
      const { data } = usePoll({
        source: 'Workcell Manager',
        key: () => managerQueryKey('workcell', 'http://lab:8005/', 'getState'),
        interval: 3000,
        read: () => Promise.resolve((requests += 1)),
      });
      return () => h('p', `requests: ${data.value ?? 'none'}`);
    },
  });
  await page.findByText('requests: none');
  expect(requests).toBe(0);
  visibility.mockReturnValue('visible');
  document.dispatchEvent(new Event('visibilitychange'));
  await page.findByText('requests: 1');
});
