/** The exports that the icon build uses. */
export { icns, ico } from './containers.ts';
export { appIconPath, iconFiles } from './files.ts';
