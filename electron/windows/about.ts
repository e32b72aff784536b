/** The About window: versions, runtime, addresses, licences. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLoopbackHost } from '../../api/hosts.ts';
import type { ServiceStatus } from '../../server/status.ts';
import type { AppPaths } from '../folders/appPaths.ts';
import type { PageOf } from '../ipc/contract.ts';
import { serviceAddresses } from '../service/publicAddresses.ts';

/** The Electron version that this app targets; an earlier one is the fallback on a machine without it. */
const targetMajor = 45;

export function createAboutPage(appPaths: AppPaths, status: ServiceStatus): PageOf<'about'> {
  const { electron, chrome, node } = process.versions;
  const runtime = [
    { name: 'Electron', version: electron ?? '' },
    { name: 'Chromium', version: chrome ?? '' },
    { name: 'Node', version: node },
  ];
  return {
    page: 'about',
    version: appPaths.installation.version,
    runtime,
    isFallbackRuntime: Number.parseInt(electron ?? '0', 10) < targetMajor,
    addresses: serviceUrls(status),
    publicUrls: [...publicUrls(status)],
    paths: [
      { name: 'Settings', path: appPaths.configDir },
      { name: 'Logs', path: appPaths.logDir },
      ...billOfMaterials(),
    ],
    licences: licencesText(appPaths),
  };
}

/** Returns the SBOM that the build writes into each package; empty in a clone. */
function billOfMaterials(): readonly { readonly name: string; readonly path: string }[] {
  const path = join(process.resourcesPath, 'sbom.cdx.json');
  return existsSync(path) ? [{ name: 'Software bill of materials (CycloneDX)', path }] : [];
}

function serviceUrls(status: ServiceStatus): string[] {
  if (status.phase === 'attached') return [status.url];
  return status.phase === 'running' ? [status.loopbackUrl, status.serverUrl] : [];
}

/** An attached service on this machine may listen on loopback only. */
function publicUrls(status: ServiceStatus): readonly string[] {
  if (status.phase !== 'attached') return serviceAddresses(status);
  return isLoopbackHost(new URL(status.url).hostname) ? [] : [status.url];
}

/** Returns the licences of the bundled packages, from the file that the build writes. */
function licencesText({ installation }: AppPaths): string {
  const file = join(installation.root, 'dist', 'licences.txt');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}
