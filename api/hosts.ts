/** Hosts that only mean the machine that reads them. Pure. */

/** Whether `host` (as `URL.hostname` writes it, IPv6 in brackets or not) can only mean the machine that reads it. */
export function isLoopbackHost(host: string): boolean {
  const name = host
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
  if (name === 'localhost' || name.endsWith('.localhost')) return true;
  if (name === '::1' || name === '::' || name === '0.0.0.0') return true;
  return /^(?:::ffff:)?127\.\d+\.\d+\.\d+$/.test(name) || /^::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}$/.test(name);
}

/**
 * A node's address for us; `null` for what is none. The workcell manager may know the node as one of its own machine
 * (`localhost`), which means that machine, wherever we are.
 */
export function nodeAddress(url: string, workcell: string): string | null {
  if (!URL.canParse(url)) return null;
  const address = new URL(url);
  if (address.protocol !== 'http:' && address.protocol !== 'https:') return null;
  if (isLoopbackHost(address.hostname) && URL.canParse(workcell)) address.hostname = new URL(workcell).hostname;
  return address.href;
}
