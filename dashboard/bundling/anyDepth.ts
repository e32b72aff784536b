/**
 * The entry page is served for every address of the page (`/workflows/abc`), where `./assets/…` points nowhere. So it
 * names its one script twice: relative to itself (right behind a base path) and from the server's root (right at any
 * depth without one). Where both mean the same file the browser runs it once.
 */
import type { Plugin } from 'vite';

const script = /<script type="module"[^>]* src="\.\/(assets\/[^"]+)"><\/script>/;

/** `html` with its script named from the root as well. */
export function namedFromRoot(html: string): string {
  return html.replace(script, (tag, path: string) => `${tag}\n    ${tag.replace(`./${path}`, `/${path}`)}`);
}

export function anyDepth(): Plugin {
  return {
    name: 'any-depth',
    apply: 'build',
    transformIndexHtml: { order: 'post', handler: namedFromRoot },
  };
}
