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
/** Longer than any name in such a file. */
const longestName = 256;

/**
 * @param {string} path
 * @returns {LinkerNeeds | null} `null` for a file that is not ELF or not dynamically linked
 * @throws Error for an ELF file that is not of the supported 64-bit processors
 */
export function linkerNeeds(path) {
  const file = openSync(path, 'r');
  try {
    const header = readBytes(file, 0, 64);
    if (header.length < 64 || header.toString('latin1', 0, 4) !== '\x7fELF') return null;
    if (header[4] !== 2 || header[5] !== 1)
      throw new Error(`${path} is an ELF file, but not of 64 bits, little-endian`);
    const segments = programHeaders(file, header);
    const dynamic = segments.find(({ type }) => type === dynamicSegment);
    return dynamic ? needsOf(file, segments, dynamic) : null;
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
    const at = index * entrySize;
    return {
      type: table.readUInt32LE(at),
      offset: Number(table.readBigUInt64LE(at + 8)),
      address: Number(table.readBigUInt64LE(at + 16)),
      size: Number(table.readBigUInt64LE(at + 32)),
    };
  });
}

/** @param {number} file @param {readonly Segment[]} segments @param {Segment} dynamic @returns {LinkerNeeds} */
function needsOf(file, segments, dynamic) {
  const entries = dynamicEntries(readBytes(file, dynamic.offset, dynamic.size));
  /** @param {bigint} tag */
  const value = (tag) => Number(entries.find((entry) => entry.tag === tag)?.value ?? 0n);
  const strings = offsetOf(segments, value(tags.strings));
  /** @param {number} at */
  const name = (at) => textAt(file, strings + at);
  const libraries = entries.filter(({ tag }) => tag === tags.needed).map((entry) => name(Number(entry.value)));
  const count = value(tags.versionCount);
  const versions = count === 0 ? [] : versionNames(file, offsetOf(segments, value(tags.versions)), count);
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
 * Of each library a record, with a chain of one record for each of its versions.
 * @param {number} file @param {number} start @param {number} count
 * @returns {number[]} where in the string table their names are
 */
function versionNames(file, start, count) {
  /** @type {number[]} */
  const names = [];
  let at = start;
  for (let library = 0; library < count; library += 1) {
    const record = readBytes(file, at, 16);
    let version = at + record.readUInt32LE(8);
    for (let left = record.readUInt16LE(2); left > 0; left -= 1) {
      const entry = readBytes(file, version, 16);
      names.push(entry.readUInt32LE(8));
      version += entry.readUInt32LE(12);
    }
    at += record.readUInt32LE(12);
  }
  return names;
}

/** Returns the file offset of a virtual address. @param {readonly Segment[]} segments @param {number} address */
function offsetOf(segments, address) {
  const holder = segments.find(
    (segment) => segment.type === loadSegment && address >= segment.address && address < segment.address + segment.size,
  );
  if (!holder) throw new Error(`No segment of the file holds the address ${address}`);
  return address - holder.address + holder.offset;
}

/** @param {number} file @param {number} at */
function textAt(file, at) {
  const bytes = readBytes(file, at, longestName);
  return bytes.toString('latin1', 0, bytes.indexOf(0));
}

/** @param {number} file @param {number} position @param {number} length */
function readBytes(file, position, length) {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(file, bytes, 0, length, position));
}
