/** Writes what a phone needs to install the dashboard: the web app manifest and its icons, and their links in the entry page. */
import { Resvg } from '@resvg/resvg-js';
import type { HtmlTagDescriptor, Plugin } from 'vite';
import { surfaces } from '../../api/states.ts';
import { appIconSvg, homeScreenIconSvg } from '../../build/icons/appIcon.ts';

interface HomeScreenIcon {
  readonly src: string;
  /** Width and height in pixels. */
  readonly size: number;
  /** `maskable`: the phone applies its own mask to the square. */
  readonly purpose: 'any' | 'maskable';
}

const icons: readonly HomeScreenIcon[] = [192, 512].flatMap((size) => [
  { src: `icons/app-${size}.png`, size, purpose: 'any' as const },
  { src: `icons/maskable-${size}.png`, size, purpose: 'maskable' as const },
]);
/** iOS uses this icon of the page instead of the manifest's, and applies its own mask. */
const appleIcon: HomeScreenIcon = { src: 'icons/apple-touch-icon.png', size: 180, purpose: 'maskable' };

/**
 * All paths are relative to the manifest, for any base path of a proxy. An `id` would be relative to the origin, and two
 * labs behind one proxy would be the same app; the default is the start address.
 */
const manifest = {
  name: 'Lab Manager',
  short_name: 'Lab Manager',
  description: 'Health, work and safety stop of a MADSci lab',
  lang: 'en',
  start_url: './',
  scope: './',
  display: 'standalone',
  background_color: surfaces.light.background,
  theme_color: surfaces.light.surface,
  icons: icons.map(({ src, size, purpose }) => ({ src, sizes: `${size}x${size}`, type: 'image/png', purpose })),
};

/** A proxy that requires a sign-in accepts only requests with its cookie, which browsers omit for a manifest by default. */
const tags: HtmlTagDescriptor[] = [
  { tag: 'link', attrs: { rel: 'manifest', href: './manifest.webmanifest', crossorigin: 'use-credentials' } },
  { tag: 'link', attrs: { rel: 'apple-touch-icon', href: `./${appleIcon.src}` } },
];

function draw({ size, purpose }: HomeScreenIcon): Uint8Array {
  const svg = purpose === 'any' ? appIconSvg(size) : homeScreenIconSvg();
  return new Resvg(svg, { fitTo: { mode: 'width', value: size } }).render().asPng();
}

export function installation(): Plugin {
  return {
    name: 'installation',
    apply: 'build',
    generateBundle() {
      for (const icon of [...icons, appleIcon])
        this.emitFile({ type: 'asset', fileName: icon.src, source: draw(icon) });
      this.emitFile({ type: 'asset', fileName: 'manifest.webmanifest', source: JSON.stringify(manifest) });
    },
    transformIndexHtml: { order: 'post', handler: () => tags },
  };
}
