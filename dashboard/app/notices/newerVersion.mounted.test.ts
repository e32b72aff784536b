import { expect, it } from 'vitest';
import { nextTick, ref } from 'vue';
import { runInComponent } from '../../fixtures/mounted.ts';
import { useNewVersion } from './newerVersion.ts';

it('useNewVersion returns the version of the service if it differs from the loaded page', async () => {
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
  expect(await after('0.2.0')).toBe('0.2.0');
  // An update that was reverted.
  expect(await after('0.1.0')).toBeNull();
});
