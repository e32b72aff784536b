/** What the icon build takes from here, in one module. */
export { icns, ico } from './containers.ts';
export { appIconPath, iconFiles } from './files.ts';
