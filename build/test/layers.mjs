// @ts-check
/**
 * The layers, for dependency-cruiser: which folder may import which, imports of types included, and no circles.
 *
 * Each layer imports those before it in its own row, itself, and what stands for all: `api/`.
 */

/** Where code is. */
export const sourceFolders = ['api', 'server', 'electron', 'dashboard', 'demo', 'e2e', 'build', 'bench'];

/** From the ground up. */
const dashboardLayers = ['base', 'components', 'managers', 'panels', 'app'];

/** Of the folders at the top: what each may import besides itself. The end-to-end tests and what builds may import all. */
const rooms = /** @type {const} */ ({
  api: [],
  server: ['api'],
  electron: ['server', 'api'],
  dashboard: ['api'],
  demo: ['api'],
});

/** @param {readonly string[]} names */
const folders = (names) => `^(?:${names.join('|')})/`;
const tests = '\\.test\\.ts$';

/** @type {import('dependency-cruiser').IForbiddenRuleType[]} */
const betweenRooms = Object.entries(rooms).map(([room, others]) => ({
  name: `${room} imports only ${['itself', ...others].join(', ')}`,
  severity: 'error',
  // A test may start what it tests against; the shell's pages have a rule of their own.
  from: { path: folders([room]), pathNot: `${tests}|^electron/pages/` },
  to: { path: folders(Object.keys(rooms).filter((name) => name !== room && !others.some((other) => other === name))) },
}));

/** @type {import('dependency-cruiser').IForbiddenRuleType[]} */
const betweenLayers = dashboardLayers.slice(0, -1).map((layer, index) => ({
  name: `dashboard/${layer} imports no layer above it`,
  severity: 'error',
  from: { path: `^dashboard/${layer}/` },
  to: { path: `^dashboard/(?:${dashboardLayers.slice(index + 1).join('|')})/` },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
export const layers = {
  forbidden: [
    ...betweenRooms,
    {
      name: "the shell's pages are drawn with what knows no manager",
      severity: 'error',
      from: { path: '^electron/pages/', pathNot: tests },
      to: { path: '^(?:dashboard|demo)/', pathNot: '^dashboard/(?:base|components)/' },
    },
    ...betweenLayers,
    {
      name: 'a panel imports no other panel',
      severity: 'error',
      from: { path: '^dashboard/panels/([^/]+)/' },
      to: { path: '^dashboard/panels/[^/]+/', pathNot: '^dashboard/panels/$1/' },
    },
    { name: 'no circles', severity: 'error', from: {}, to: { circular: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(?:^|/)(?:node_modules|dist|out)/' },
    // Imports of types count too.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.vue', '.mjs', '.js'] },
  },
};

export default layers;
