import { describe, expect, it } from 'vitest';
import { packageFolder } from './licences.ts';

describe('packageFolder', () => {
  it.each([
    ['/r/node_modules/vue/dist/vue.js', '/r/node_modules/vue'],
    ['/r/node_modules/@mdi/js/mdi.js', '/r/node_modules/@mdi/js'],
    ['/r/node_modules/a/node_modules/b/i.js', '/r/node_modules/a/node_modules/b'],
    ['\0/r/node_modules/vuetify/x.css?inline', '/r/node_modules/vuetify'],
    ['/r/dashboard/main.ts', null],
    ['\0virtual', null],
  ])('%s', (id, folder) => {
    expect(packageFolder(id)).toBe(folder);
  });
});
