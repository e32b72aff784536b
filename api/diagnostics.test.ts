import { expect, it } from 'vitest';
import { describeBundleAccess } from './diagnostics.ts';

it('describeBundleAccess claims a private file only where files have modes', () => {
  expect(describeBundleAccess('linux')).toBe('Only your account can open the file.');
  expect(describeBundleAccess('win32')).not.toContain('Only your account');
});
