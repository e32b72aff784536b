/** The dashboard's size over the wire, for whoever checks a build. */
export { firstPageLimit, measureFirstPage, type FileSize, type PageSize } from './bundling/size.ts';
