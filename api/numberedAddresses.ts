/** Shortened addresses of webhooks, in their order; those that look alike get their number in it: `2: https://hooks.example.com/…`. */
export function numberedAddresses(addresses: readonly string[]): readonly string[] {
  return addresses.map((address, index) =>
    addresses.indexOf(address) === addresses.lastIndexOf(address) ? address : `${index + 1}: ${address}`,
  );
}
