// Decides which typed addresses a server may call: public ones, and those in networks that the configuration allows.
import { lookup as lookUp, type LookupAddress } from 'node:dns';
import { BlockList, isIP, isIPv4, type LookupFunction } from 'node:net';

/** Thrown by the look-up if a name leads to a forbidden address. */
export class AddressRefused extends Error {
  override name = 'AddressRefused';
}

const FORBIDDEN_V4: [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  // Multicast, reserved, broadcast.
  ['224.0.0.0', 3],
];
/**
 * The forbidden parts of the global range: documentation, protocols, and tunnels (Teredo, 6to4), which may hide an IPv4 address of the list above.
 */
const FORBIDDEN_V6: [string, number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
];
const LOOPBACK: readonly string[] = ['127.0.0.0/8', '::1'];
/** Names that are known only within a local network: the reserved ones (RFC 6762, 6763, 8375), those in common use, and names without a dot. */
const INNER_NAME =
  /^[^.]+\.?$|\.(?:internal|intranet|private|corp|home|lan|local|localdomain|home\.arpa|in-addr\.arpa|ip6\.arpa|svc|cluster|onion|invalid)\.?$/i;
/** The names of this computer. */
const OWN_NAME = /^(.*\.)?localhost\.?$/;

const forbidden = listOf([...FORBIDDEN_V4, ...FORBIDDEN_V6].map(([net, bits]) => `${net}/${bits}`));
const globalV6 = listOf(['2000::/3']);
/** IPv4 addresses translated to IPv6, for networks without IPv4. */
const translated = listOf(['64:ff9b::/96']);
const mapped = listOf(['::ffff:0:0/96']);

export type Reach = {
  /** Networks ('10.1.0.0/16') or single addresses that are also allowed, even without TLS. */
  networks: readonly string[];
  /** Also allows this computer. */
  loopback: boolean;
};

/** Builds a list of networks. Throws for a text that is not a network. */
export function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [net = '', bits, ...more] = network.split('/');
    const family = isIPv4(net) ? 'ipv4' : 'ipv6';
    if (isIP(net) === 0 || more.length > 0 || bits === '') throw new Error(`${network} is not a network`);
    if (bits === undefined) list.addAddress(net, family);
    else list.addSubnet(net, Number(bits), family);
  }
  return list;
}

/** Returns how the server may reach an IP address: not at all, only over TLS, or even without TLS (in an allowed network). */
export function reachOf(address: string, { networks, loopback }: Reach): 'no' | 'tls' | 'any' {
  const ip = bareAddress(address);
  const family = isIPv4(ip) ? 'ipv4' : 'ipv6';
  const allowed = listOf([...networks, ...(loopback ? LOOPBACK : [])]);
  if (allowed.check(ip, family)) return 'any';
  if (isIP(ip) === 0 || forbidden.check(ip, family)) return 'no';
  return family === 'ipv4' || globalV6.check(ip, family) ? 'tls' : 'no';
}

/** Removes the zone, and converts an IPv4 address written as IPv6 back into IPv4. */
function bareAddress(address: string): string {
  const ip = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  if (isIP(ip) !== 6 || !(mapped.check(ip, 'ipv6') || translated.check(ip, 'ipv6'))) return ip;
  // The URL class writes the last 32 bits as two groups: [::ffff:7f00:1]
  const groups = new URL(`http://[${ip}]`).hostname.slice(1, -1).split(':');
  const numbers = groups.slice(-2).map((group) => Number.parseInt(group || '0', 16));
  return numbers.flatMap((number) => [number >> 8, number & 255]).join('.');
}

/** Returns what is wrong with a typed address, in a sentence, or '' if it may be tried. Does not look up names; the call itself does. */
export function wrongAddress(text: string, reach: Reach): string {
  if (!URL.canParse(text)) return 'Enter an address such as https://erp.example.com/hooks.';
  const url = new URL(text);
  const { hostname } = url;
  const ip = OWN_NAME.test(hostname) ? '127.0.0.1' : hostname.replace(/^\[|\]$/g, '');
  // A name may lead into an allowed network. Names of this computer are checked separately.
  const open = reach.networks.length > 0 || (reach.loopback && isIP(ip) > 0);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && open)) return 'The address must begin with https://.';
  if (url.username || url.password) return 'Remove the user name and password; the signature authenticates the call.';
  if (isIP(ip) > 0) return whyRefused(ip, url.protocol === 'https:', reach);
  return INNER_NAME.test(hostname) && reach.networks.length === 0 ? WITHIN : '';
}

const WITHIN = 'Addresses in a private network are not allowed by the server configuration.';

function whyRefused(ip: string, tls: boolean, reach: Reach): string {
  const result = reachOf(ip, reach);
  if (result === 'any' || (result === 'tls' && tls)) return '';
  return result === 'tls' ? 'Without TLS, only networks that the server configuration allows can be used.' : WITHIN;
}

type Resolve = (name: string, done: (error: Error | null, addresses: LookupAddress[]) => void) => void;
const resolveName: Resolve = (name, done) => lookUp(name, { all: true }, done);

/**
 * Returns the look-up for a socket that connects only to allowed addresses. The socket uses its result, so a name cannot lead elsewhere between the
 * check and the connection. A name is refused if one of its addresses is forbidden.
 */
export function guardedLookup(tls: boolean, reach: Reach, resolve: Resolve = resolveName): LookupFunction {
  return (name, options, done) => {
    resolve(name, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error || !first) return done(error ?? new Error(`${name} has no address`), '', 4);
      const why = addresses.map(({ address }) => whyRefused(address, tls, reach)).find(Boolean);
      if (why) return done(new AddressRefused(why), '', 4);
      if (options.all) return done(null, addresses);
      done(null, first.address, first.family);
    });
  };
}
