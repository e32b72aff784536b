#!/usr/bin/env node
// @ts-check
/**
 * Stands in for the program `fpm`, which electron-builder downloads from GitHub to write Debian packages: understands
 * what electron-builder tells it, and has dpkg-deb write the package. Used through CUSTOM_FPM_PATH where fpm isn't.
 */
import { writeDebianPackage } from './debian.mjs';
import { parseFpmArguments } from './fpmArguments.mjs';

try {
  writeDebianPackage(parseFpmArguments(process.argv.slice(2)));
} catch (error) {
  console.error(`fpm stand-in: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
