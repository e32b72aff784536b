/**
 * A stand-in for Electron's macOS runtime, which no package registry has: its folders, property lists, links and the fuses
 * of its framework, but no executables. electron-builder modifies nothing else in the real runtime.
 */
import { createPackage } from '@electron/asar';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const contents = 'Electron.app/Contents';
const framework = `${contents}/Frameworks/Electron Framework.framework`;
/** Source: getFuseSentinel of @electron/fuses; then the version of the wire, its length, and Electron's default fuses. */
const fuseWire = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX\u0001\u00081011000111';

/** @param directory a new directory */
export async function writeMacRuntime(directory: string, version: string): Promise<void> {
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text, { mode: path.includes('/MacOS/') ? 0o755 : 0o644 });
  };
  write('version', version);
  write(`${contents}/MacOS/Electron`, 'program');
  write(`${contents}/Resources/electron.icns`, 'icon');
  // Source: electron/shell/browser/resources/mac/Info.plist
  write(
    `${contents}/Info.plist`,
    propertyList({
      CFBundleDisplayName: 'Electron',
      CFBundleExecutable: 'Electron',
      CFBundleIconFile: 'electron.icns',
      CFBundleIdentifier: 'com.github.Electron',
      CFBundleName: 'Electron',
      CFBundlePackageType: 'APPL',
      CFBundleShortVersionString: version,
      CFBundleVersion: version,
      LSApplicationCategoryType: 'public.app-category.developer-tools',
      NSPrincipalClass: 'AtomApplication',
    }),
  );
  for (const helper of ['Helper', 'Helper (GPU)', 'Helper (Plugin)', 'Helper (Renderer)']) {
    const name = `Electron ${helper}`;
    write(`${contents}/Frameworks/${name}.app/Contents/MacOS/${name}`, 'program');
    write(
      `${contents}/Frameworks/${name}.app/Contents/Info.plist`,
      propertyList({ CFBundleExecutable: name, CFBundleIdentifier: 'com.github.Electron.helper', CFBundleName: name }),
    );
  }
  write(`${framework}/Versions/A/Electron Framework`, `code ${fuseWire} code`);
  const launcher = join(import.meta.dirname, '..', '..', 'build', 'runtime', 'default_app');
  await createPackage(launcher, join(directory, contents, 'Resources', 'default_app.asar'));
  symlinkSync('A', join(directory, framework, 'Versions', 'Current'));
  symlinkSync('Versions/Current/Electron Framework', join(directory, framework, 'Electron Framework'));
}

function propertyList(values: Readonly<Record<string, string>>): string {
  const entries = Object.entries(values).map(([key, value]) => `<key>${key}</key><string>${value}</string>`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0"><dict>${entries.join('')}</dict></plist>\n`;
}
