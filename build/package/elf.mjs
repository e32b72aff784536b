// @ts-check
/**
 * Reads the dynamic linker requirements of a Linux program or library. Source: elf(5), and the System V ABI on symbol
 * versions.
 */
import { closeSync, openSync, readSync } from 'node:fs';

/**
 * @typedef {object} LinkerNeeds
 * @property {readonly string[]} libraries names of the required libraries, such as `libc.so.6`
 * @property {readonly string[]} versions the required symbol versions, such as `GLIBC_2.25`
 */

const loadSegment = 1;
const dynamicSegment = 2;
const tags = /** @type {const} */ ({ needed: 1n, strings: 5n, versions: 0x6ffffffen, versionCount: 0x6fffffffn });
/** More than the length of any name in such a file, in bytes. */
const maxNameBytes = 256;

/**
 * @param {string} path
 * @returns {LinkerNeeds | null} `null` for a file that is not ELF or not dynamically linked
 * @throws Error for an ELF file that is not 64-bit and little-endian
 */
export function readLinkerNeeds(path) {
  const file = openSync(path, 'r');
  try {
    const header = readBytes(file, 0, 64);
    if (header.length < 64 || header.toString('latin1', 0, 4) !== '\x7fELF') return null;
    if (header[4] !== 2 || header[5] !== 1)
      throw new Error(`${path} is an ELF file, but not of 64 bits, little-endian`);
    const segments = programHeaders(file, header);
    const dynamic = segments.find(({ type }) => type === dynamicSegment);
    return dynamic ? readNeeds(file, segments, dynamic) : null;
  } finally {
    closeSync(file);
  }
}

/** @typedef {{ type: number, offset: number, address: number, size: number }} Segment */

/** @param {number} file @param {Buffer} header @returns {Segment[]} */
function programHeaders(file, header) {
  const [entrySize, count] = [header.readUInt16LE(54), header.readUInt16LE(56)];
  const table = readBytes(file, Number(header.readBigUInt64LE(32)), entrySize * count);
  return Array.from({ length: count }, (_, index) => {
    const offset = index * entrySize;
    return {
      type: table.readUInt32LE(offset),
      offset: Number(table.readBigUInt64LE(offset + 8)),
      address: Number(table.readBigUInt64LE(offset + 16)),
      size: Number(table.readBigUInt64LE(offset + 32)),
    };
  });
}

/** @param {number} file @param {readonly Segment[]} segments @param {Segment} dynamic @returns {LinkerNeeds} */
function readNeeds(file, segments, dynamic) {
  const entries = dynamicEntries(readBytes(file, dynamic.offset, dynamic.size));
  /** @param {bigint} tag */
  const value = (tag) => Number(entries.find((entry) => entry.tag === tag)?.value ?? 0n);
  const strings = fileOffset(segments, value(tags.strings));
  /** @param {number} at */
  const name = (at) => readText(file, strings + at);
  const libraries = entries.filter(({ tag }) => tag === tags.needed).map((entry) => name(Number(entry.value)));
  const count = value(tags.versionCount);
  const versions = count === 0 ? [] : versionNameOffsets(file, fileOffset(segments, value(tags.versions)), count);
  return { libraries, versions: [...new Set(versions.map(name))] };
}

/** @param {Buffer} table */
function dynamicEntries(table) {
  return Array.from({ length: Math.floor(table.length / 16) }, (_, index) => ({
    tag: table.readBigUInt64LE(index * 16),
    value: table.readBigUInt64LE(index * 16 + 8),
  }));
}

/**
 * Reads the version records: one for each library, followed by one for each of its versions.
 * @param {number} file @param {number} start @param {number} count
 * @returns {number[]} the offsets of their names in the string table
 */
function versionNameOffsets(file, start, count) {
  /** @type {number[]} */
  const nameOffsets = [];
  let recordOffset = start;
  for (let library = 0; library < count; library += 1) {
    const record = readBytes(file, recordOffset, 16);
    let versionOffset = recordOffset + record.readUInt32LE(8);
    for (let remaining = record.readUInt16LE(2); remaining > 0; remaining -= 1) {
      const entry = readBytes(file, versionOffset, 16);
      nameOffsets.push(entry.readUInt32LE(8));
      versionOffset += entry.readUInt32LE(12);
    }
    recordOffset += record.readUInt32LE(12);
  }
  return nameOffsets;
}

/** Returns the file offset of a virtual address. @param {readonly Segment[]} segments @param {number} address */
function fileOffset(segments, address) {
  const containingSegment = segments.find(
    (segment) => segment.type === loadSegment && address >= segment.address && address < segment.address + segment.size,
  );
  if (!containingSegment) throw new Error(`No segment of the file contains the address ${address}`);
  return address - containingSegment.address + containingSegment.offset;
}

/** @param {number} file @param {number} at */
function readText(file, at) {
  const bytes = readBytes(file, at, maxNameBytes);
  return bytes.toString('latin1', 0, bytes.indexOf(0));
}

/** @param {number} file @param {number} position @param {number} length */
function readBytes(file, position, length) {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(file, bytes, 0, length, position));
}
