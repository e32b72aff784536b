import { expect, it } from 'vitest';
import { bundleAccess } from './diagnostics.ts';

it('bundleAccess claims a private file only where files have modes', () => {
  expect(bundleAccess('linux')).toBe('Only your account can open the file.');
  expect(bundleAccess('win32')).not.toContain('Only your account');
});
