/** The dashboard's size over the wire, for whoever checks a build. */
export { firstPageLimit, measureParts, panelLimit, sizeTable, type PartSize } from './bundling/size.ts';
