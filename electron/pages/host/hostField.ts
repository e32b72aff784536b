/** One host name for all managers of a lab. Pure. */

/**
 * @param url address of a manager, whose port and path are kept
 * @param host a host name or IP address, with or without a scheme; its port is not used
 * @returns the manager's address on that host; `null` as long as it is no host
 */
export function addressOnHost(url: string, host: string): string | null {
  const text = host
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/[/?#].*$/, '');
  const name = text.startsWith('[') ? text : text.replace(/^([^:]*):\d*$/, '$1');
  const written = name.includes(':') && !name.startsWith('[') ? `[${name}]` : name;
  // Chromium makes `lab%20pc` of a space.
  if (written === '' || /[\s%@\\]/.test(written) || !URL.canParse(`http://${written}/`)) return null;
  const address = new URL(url);
  address.hostname = new URL(`http://${written}/`).hostname;
  return address.href;
}
