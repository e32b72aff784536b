declare module 'subset-font' {
  interface Options {
    readonly targetFormat?: 'woff2';
    /** The range or value to keep on each axis of a variable font. */
    readonly variationAxes?: Readonly<Record<string, number | { readonly min: number; readonly max: number }>>;
  }
  /** Returns a font with only the glyphs of `text`. */
  export default function subsetFont(font: Buffer, text: string, options?: Options): Promise<Buffer>;
}
