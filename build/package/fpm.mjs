#!/usr/bin/env node
// @ts-check
/**
 * Replaces `fpm`, which electron-builder downloads from GitHub to write Debian and RPM packages: it accepts
 * electron-builder's arguments and runs dpkg-deb or rpmbuild. The build sets CUSTOM_FPM_PATH to this file if fpm is not installed.
 */
import { writeDebianPackage } from './debian.mjs';
import { parseFpmArguments } from './fpmArguments.mjs';
import { writeRpmPackage } from './rpm.mjs';

try {
  const input = parseFpmArguments(process.argv.slice(2));
  if (input.options.get('-t') === 'rpm') writeRpmPackage(input);
  else writeDebianPackage(input);
} catch (error) {
  console.error(`fpm stand-in: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
