// @ts-check
/**
 * The layer rules for dependency-cruiser: which folder may import which, including type imports, and no import cycles.
 */

/** The top-level folders with code. */
export const sourceFolders = ['api', 'server', 'electron', 'dashboard', 'demo', 'e2e', 'build', 'bench'];

/**
 * The folders of a top-level folder from the bottom layer up: each may import itself and the ones before it, which
 * excludes cycles. `.` is for the files directly in the top-level folder.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const layersByFolder = {
  dashboard: ['base', 'components', 'managers', 'panels', 'app'],
  server: [
    'concurrency',
    'logging',
    'net',
    'storage',
    'channels',
    'settings/schema',
    'settings/parse',
    'settings/load',
    'settings/edit',
    'http',
    'http/callers',
    'http/files',
    'http/listening',
    'telemetry',
    'maintenance',
    'lab',
    'readers',
    'commandLog',
    'identity',
    'database',
    'health',
    'history',
    'metrics',
    'attached',
    'fleet',
    'standby',
    'discovery',
    'notifications',
    'diagnostics/checks',
    'diagnostics',
    'access',
    'relay',
    'safetyStop',
    'routes',
    '.',
    'lifecycle',
    'commandLine',
    'fixtures',
  ],
  electron: [
    'fixtures',
    'ipc',
    'folders',
    'logs',
    'menu',
    'preload',
    'crashes',
    'preferences',
    'service',
    'windows',
    'connect',
    'demo',
    'safetyStop',
    'settings',
    'start',
    'notifications',
    'updates',
    'diagnostics',
    'maintenance',
    'pages',
    'tray',
    '.',
  ],
  demo: [
    'base',
    'http',
    'nodes',
    'event',
    'experiment',
    'data',
    'resource',
    'location',
    'workcell',
    'inventory',
    'simulation',
    'lab',
    '.',
  ],
};

/**
 * The top-level folders that each folder may import besides itself. The end-to-end tests and the build may import all.
 */
const allowedImports = /** @type {const} */ ({
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
const betweenTopFolders = Object.entries(allowedImports).map(([folder, others]) => ({
  name: `${folder} imports only ${['itself', ...others].join(', ')}`,
  severity: 'error',
  // Tests may import their servers; the shell's pages have a separate rule.
  from: { path: folders([folder]), pathNot: `${tests}|^electron/pages/` },
  to: {
    path: folders(
      Object.keys(allowedImports).filter((name) => name !== folder && !others.some((other) => other === name)),
    ),
  },
}));

/**
 * Returns a pattern for the files of a layer, without folders in it that are separate layers.
 * @param {string} folder @param {string} layer
 */
function layerPattern(folder, layer) {
  if (layer === '.') return `^${folder}/[^/]+$`;
  const inner = (layersByFolder[folder] ?? []).filter((name) => name.startsWith(`${layer}/`));
  return inner.length === 0
    ? `^${folder}/${layer}/`
    : `^${folder}/${layer}/(?!${inner.map((each) => each.slice(layer.length + 1)).join('|')})`;
}

/** Tests may import their servers, except in the dashboard. @param {string} folder */
const exempt = (folder) => (folder === 'dashboard' ? [] : [tests]);

/** @type {import('dependency-cruiser').IForbiddenRuleType[]} */
const betweenLayers = Object.entries(layersByFolder).flatMap(([folder, layers]) =>
  layers.slice(0, -1).map((layer, index) => ({
    name: `${folder}/${layer} imports no layer above it`,
    severity: 'error',
    from: { path: layerPattern(folder, layer), pathNot: exempt(folder) },
    to: { path: layers.slice(index + 1).map((above) => layerPattern(folder, above)) },
  })),
);

/** @type {import('dependency-cruiser').IForbiddenRuleType[]} */
const outsideLayers = Object.entries(layersByFolder)
  .filter(([folder]) => folder !== 'dashboard')
  .map(([folder, layers]) => ({
    name: `every folder of ${folder} is one of its layers`,
    severity: 'error',
    from: {
      path: folders([folder]),
      pathNot: [...layers.map((layer) => layerPattern(folder, layer)), ...exempt(folder)],
    },
    to: { path: folders([folder]) },
  }));

/** @type {import('dependency-cruiser').IConfiguration} */
export const layers = {
  forbidden: [
    ...betweenTopFolders,
    {
      name: 'electron/pages imports only base and components of the dashboard',
      severity: 'error',
      // Both Vite configurations share the plugin for the font.
      from: { path: '^electron/pages/', pathNot: `${tests}|/vite\\.config\\.ts$` },
      to: { path: '^(?:dashboard|demo)/', pathNot: '^dashboard/(?:base|components)/' },
    },
    ...betweenLayers,
    ...outsideLayers,
    {
      name: 'a panel imports no other panel',
      severity: 'error',
      from: { path: '^dashboard/panels/([^/]+)/' },
      to: { path: '^dashboard/panels/[^/]+/', pathNot: '^dashboard/panels/$1/' },
    },
    { name: 'no import cycles', severity: 'error', from: {}, to: { circular: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(?:^|/)(?:node_modules|dist|out)/' },
    // Include type imports.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.vue', '.mjs', '.js'] },
  },
};

export default layers;
