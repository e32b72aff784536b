/** Encodes the icon files of Windows and macOS, which contain PNG pictures of several sizes. */

export interface Picture {
  /** Width and height in pixels. */
  readonly size: number;
  readonly png: Uint8Array;
}

/**
 * Encodes a Windows icon: a directory of 16-byte entries, then the pictures. Windows has supported PNG entries since
 * Vista.
 * @throws Error for a size of more than 256 pixels
 */
export function encodeIco(pictures: readonly Picture[]): Buffer {
  const head = Buffer.alloc(6 + 16 * pictures.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(pictures.length, 4);
  let offset = head.length;
  for (const [index, { size, png }] of pictures.entries()) {
    if (size > 256) throw new Error(`Windows has no icon of ${size} pixels`);
    const entry = 6 + 16 * index;
    // One byte per dimension; 0 means 256.
    head.writeUInt8(size % 256, entry);
    head.writeUInt8(size % 256, entry + 1);
    head.writeUInt16LE(1, entry + 4);
    head.writeUInt16LE(32, entry + 6);
    head.writeUInt32LE(png.length, entry + 8);
    head.writeUInt32LE(offset, entry + 12);
    offset += png.length;
  }
  return Buffer.concat([head, ...pictures.map(({ png }) => png)]);
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
export function encodeIcns(pictures: readonly Picture[]): Buffer {
  const blocks = pictures.flatMap(({ size, png }) => {
    const type = icnsTypes.get(size);
    if (type === undefined) throw new Error(`macOS has no icon of ${size} pixels`);
    return [blockHeader(type, png.length), png];
  });
  const length = blocks.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([blockHeader('icns', length), ...blocks]);
}

function blockHeader(type: string, length: number): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, 0, 'latin1');
  head.writeUInt32BE(length + 8, 4);
  return head;
}
