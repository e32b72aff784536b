import vue from '@vitejs/plugin-vue';
import { defineConfig, type Rolldown } from 'vite';
import { accessApi } from '../api/lab/access.ts';
import { fleetApi } from '../api/lab/fleetApi.ts';
import { labApi } from '../api/lab/labApi.ts';
import { safetyStopApi } from '../api/lab/safetyStopApi.ts';
import { compressAssets } from './bundling/compressed.ts';
import {
  isBundlerModule,
  fileKinds,
  assignSharedFiles,
  type GetModuleFacts,
  type SharedFile,
} from './bundling/sharedFiles.ts';
import { writePageFont } from './bundling/font.ts';
import { installation } from './bundling/installation.ts';
import { licences, repository } from './bundling/licences.ts';

const devTarget = process.env['LAB_DEV_TARGET'] ?? 'http://127.0.0.1:8000';
const endpoints = [
  ...Object.values(labApi.endpoints),
  ...Object.values(fleetApi.endpoints),
  ...Object.values(accessApi.endpoints),
  ...Object.values(safetyStopApi.endpoints),
];
/** The paths that the service serves besides the page. */
const proxiedPaths = [...new Set(endpoints.map(({ path }) => path)), '/docs', '/openapi.json', '/metrics', '/help'];

let files: ReadonlyMap<string, SharedFile> | null = null;
/** All modules are known when the first of them is assigned to a file. */
function findSharedFile(id: string, getFacts: GetModuleFacts): SharedFile | null {
  files ??= assignSharedFiles(repository.replaceAll('\\', '/'), getFacts);
  return isBundlerModule(id) ? { kind: 'start', name: 'start' } : (files.get(id) ?? null);
}

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  resolve: { alias: { 'page-font.woff2': await writePageFont(repository) } },
  plugins: [vue(), licences(repository, ['@fontsource-variable/inter']), installation(), compressAssets()],
  define: { __VUE_OPTIONS_API__: 'false', __VUE_PROD_DEVTOOLS__: 'false' },
  build: {
    outDir: `${repository}/dist/dashboard`,
    emptyOutDir: true,
    assetsDir: 'assets',
    assetsInlineLimit: 0,
    sourcemap: false,
    manifest: true,
    // Scripts resolve their own paths at any depth; the entry page names one script, whose path the service corrects.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_file, dependencies, { hostType }) => (hostType === 'html' ? [] : dependencies),
    },
    reportCompressedSize: false,
    rolldownOptions: {
      // Plugin timings are irrelevant to users who build the dashboard.
      checks: { pluginTimings: false },
      output: {
        codeSplitting: {
          // A file includes its modules' imports, unless a file with a higher priority contains them.
          groups: fileKinds.map((kind, index) => ({
            debugName: kind,
            priority: fileKinds.length - index,
            name: (id: string, chunking: Rolldown.ChunkingContext) => {
              const file = findSharedFile(id, (moduleId) => chunking.getModuleInfo(moduleId));
              return file?.kind === kind ? file.name : null;
            },
          })),
        },
      },
    },
  },
  server: {
    proxy: Object.fromEntries(proxiedPaths.map((path) => [path, { target: devTarget, changeOrigin: false }])),
  },
});
