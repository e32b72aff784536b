import { expect, it } from 'vitest';
import { nextTick, ref } from 'vue';
import { runInComponent } from '../../fixtures/mounted.ts';
import { useNewVersion } from './newerVersion.ts';

it('useNewVersion returns the change of the service’s version since the page was loaded', async () => {
  const version = ref<string>();
  const { result } = runInComponent(() => useNewVersion(() => version.value));
  const after = async (now: string | undefined) => {
    version.value = now;
    await nextTick();
    return result.value;
  };
  expect(result.value).toBeNull();
  expect(await after('0.1.0')).toBeNull();
  expect(await after(undefined)).toBeNull();
  expect(await after('0.2.0')).toEqual({ from: '0.1.0', to: '0.2.0' });
  // An update that was reverted.
  expect(await after('0.1.0')).toBeNull();
});
