/** Private networks (RFC 6890), as the first bits of their IPv4 addresses. */
const networks: readonly (readonly [network: string, address: number, bits: number])[] = [
  ['this machine', 0x00_00_00_00, 8],
  ['this machine', 0x7f_00_00_00, 8],
  ['10.0.0.0/8', 0x0a_00_00_00, 8],
  ['100.64.0.0/10', 0x64_40_00_00, 10],
  ['link-local', 0xa9_fe_00_00, 16],
  ['172.16.0.0/12', 0xac_10_00_00, 12],
  ['192.168.0.0/16', 0xc0_a8_00_00, 16],
];

/** The same for IPv6. An address that contains an IPv4 address is read as that. */
const networksOfV6: readonly (readonly [network: string, addresses: RegExp])[] = [
  ['this machine', /^::1?$/],
  ['link-local', /^fe[89ab]/],
  ['fc00::/7', /^f[cd]/],
  ['64:ff9b::/96', /^64:ff9b:/],
];

export function networkOf(host: string): string | undefined {
  const address = host.toLowerCase().replace(/^\[|\]$|\.$/g, '');
  if (address === 'localhost' || address.endsWith('.localhost')) return 'this machine';
  const v4 = numberOf(address);
  if (v4 !== undefined) return networks.find(([, start, bits]) => v4 >>> (32 - bits) === start >>> (32 - bits))?.[0];
  return address.includes(':') ? networksOfV6.find(([, addresses]) => addresses.test(address))?.[0] : undefined;
}

/** An IPv4 address as a number, even if it is written as `::ffff:127.0.0.1` or `::ffff:7f00:1`. */
function numberOf(address: string): number | undefined {
  const [, high, low] = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(address) ?? [];
  if (high !== undefined && low !== undefined) return Number.parseInt(high, 16) * 65_536 + Number.parseInt(low, 16);
  const parts = /^(?:::ffff:)?(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(address)?.slice(1);
  return parts?.reduce((sum, part) => sum * 256 + Number(part), 0);
}

/** True if a host is public, or in the same private network as one of the server's addresses. */
export function mayBeAsked(host: string, own: readonly string[]): boolean {
  const network = networkOf(host);
  return network === undefined || own.some((place) => networkOf(place) === network);
}

/** True if nobody else can read the connection: by https, or by http on this machine. */
export function isConfidential({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && networkOf(hostname) === 'this machine');
}
