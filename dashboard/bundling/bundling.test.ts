import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readLicence, packageFolder, repository } from './licences.ts';

describe('packageFolder', () => {
  it.each([
    ['/r/node_modules/vue/dist/vue.js', '/r/node_modules/vue'],
    ['/r/node_modules/@mdi/js/mdi.js', '/r/node_modules/@mdi/js'],
    ['/r/node_modules/a/node_modules/b/i.js', '/r/node_modules/a/node_modules/b'],
    ['\0/r/node_modules/reka-ui/x.css?inline', '/r/node_modules/reka-ui'],
    ['/r/dashboard/main.ts', null],
    ['\0virtual', null],
  ])('returns the folder of the package, or null outside of packages: %s', (id, folder) => {
    expect(packageFolder(id)).toBe(folder);
  });
});

describe('the text of a licence', () => {
  const licence = (name: string) => readLicence(join(repository, 'node_modules', ...name.split('/')));
  it('is the package’s own, or the standard text when the package only names the licence', () => {
    expect(licence('vue').text).toContain('Permission is hereby granted');
    expect(licence('@humanwhocodes/momoa')).toMatchObject({
      licence: 'Apache-2.0',
      text: expect.stringContaining('Apache License') as string,
    });
  });
});
