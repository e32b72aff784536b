/** Encodes the icon files of Windows and macOS, which contain PNG images of several sizes. */

export interface IconImage {
  /** Width and height in pixels. */
  readonly size: number;
  readonly png: Uint8Array;
}

/**
 * Encodes a Windows icon: a directory of 16-byte entries, then the images. Windows has supported PNG entries since
 * Vista.
 * @throws Error for a size of more than 256 pixels
 */
export function encodeIco(images: readonly IconImage[]): Buffer {
  const header = Buffer.alloc(6 + 16 * images.length);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(images.length, 4);
  let offset = header.length;
  for (const [index, { size, png }] of images.entries()) {
    if (size > 256) throw new Error(`Windows has no icon of ${size} pixels`);
    const entry = 6 + 16 * index;
    // One byte per dimension; 0 means 256.
    header.writeUInt8(size % 256, entry);
    header.writeUInt8(size % 256, entry + 1);
    header.writeUInt16LE(1, entry + 4);
    header.writeUInt16LE(32, entry + 6);
    header.writeUInt32LE(png.length, entry + 8);
    header.writeUInt32LE(offset, entry + 12);
    offset += png.length;
  }
  return Buffer.concat([header, ...images.map(({ png }) => png)]);
}

/** The PNG types of Apple's icon container, by size in pixels. */
const icnsTypes: ReadonlyMap<number, string> = new Map([
  [16, 'icp4'],
  [32, 'icp5'],
  [64, 'icp6'],
  [128, 'ic07'],
  [256, 'ic08'],
  [512, 'ic09'],
  [1024, 'ic10'],
]);

/**
 * Encodes a macOS icon: tagged blocks with their length, big-endian.
 * @throws Error for a size that the format has no type for
 */
export function encodeIcns(images: readonly IconImage[]): Buffer {
  const blocks = images.flatMap(({ size, png }) => {
    const type = icnsTypes.get(size);
    if (type === undefined) throw new Error(`macOS has no icon of ${size} pixels`);
    return [blockHeader(type, png.length), png];
  });
  const length = blocks.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([blockHeader('icns', length), ...blocks]);
}

function blockHeader(type: string, length: number): Buffer {
  const header = Buffer.alloc(8);
  header.write(type, 0, 'latin1');
  header.writeUInt32BE(length + 8, 4);
  return header;
}
