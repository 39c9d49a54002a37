// Which addresses a server may call that anybody typed: public ones, and the networks that the configuration allows besides.
import { lookup as lookUp, type LookupAddress } from 'node:dns';
import { BlockList, isIP, isIPv4, type LookupFunction } from 'node:net';

/** Thrown in the look-up: the name leads where nothing may be sent. */
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
/** Of the global ones: protocols and tunnels (Teredo, 6to4), which may hide an address from above, and documentation. */
const FORBIDDEN_V6: [string, number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
];
const LOOPBACK: readonly string[] = ['127.0.0.0/8', '::1'];

const forbidden = listOf([...FORBIDDEN_V4, ...FORBIDDEN_V6].map(([net, bits]) => `${net}/${bits}`));
const globalV6 = listOf(['2000::/3']);
/** Names of IPv4 addresses within IPv6, by which a network without IPv4 reaches them. */
const translated = listOf(['64:ff9b::/96']);
const mapped = listOf(['::ffff:0:0/96']);

export type Reach = {
  /** '10.1.0.0/16' or one address: allowed besides public ones, and without TLS. */
  networks: readonly string[];
  /** This computer is allowed, too. */
  loopback: boolean;
};

/** Throws for a text that is no network. */
export function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [net = '', bits, ...more] = network.split('/');
    const family = isIPv4(net) ? 'ipv4' : 'ipv6';
    if (isIP(net) === 0 || more.length > 0 || bits === '') throw new Error(`${network} is no network`);
    if (bits === undefined) list.addAddress(net, family);
    else list.addSubnet(net, Number(bits), family);
  }
  return list;
}

/** How an IP address may be reached: not at all, only over TLS, or also without (in a network that is allowed by name). */
export function reachOf(address: string, { networks, loopback }: Reach): 'no' | 'tls' | 'any' {
  const ip = plain(address);
  const family = isIPv4(ip) ? 'ipv4' : 'ipv6';
  const allowed = listOf([...networks, ...(loopback ? LOOPBACK : [])]);
  if (allowed.check(ip, family)) return 'any';
  if (isIP(ip) === 0 || forbidden.check(ip, family)) return 'no';
  return family === 'ipv4' || globalV6.check(ip, family) ? 'tls' : 'no';
}

/** An IPv4 address that is written as IPv6, as itself; without the zone. */
function plain(address: string): string {
  const ip = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  if (isIP(ip) !== 6 || !(mapped.check(ip, 'ipv6') || translated.check(ip, 'ipv6'))) return ip;
  // The URL class writes the last 32 bits as two groups: [::ffff:7f00:1]
  const groups = new URL(`http://[${ip}]`).hostname.slice(1, -1).split(':');
  const numbers = groups.slice(-2).map((group) => Number.parseInt(group || '0', 16));
  return numbers.flatMap((number) => [number >> 8, number & 255]).join('.');
}

/** What is wrong with an address that somebody types, in a sentence; '' when it may be tried. Names are looked up only when it is called. */
export function wrongAddress(text: string, reach: Reach): string {
  if (!URL.canParse(text)) return 'An address such as https://erp.example.com/hooks.';
  const url = new URL(text);
  const open = reach.loopback || reach.networks.length > 0;
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && open))
    return 'The address must begin with https://, or nobody could trust what arrives there.';
  if (url.username || url.password) return 'Leave user and password out. The signature says who calls.';
  if (isIP(url.hostname.replace(/^\[|\]$/g, '')) === 0) return '';
  return refusal(url.hostname, url.protocol === 'https:', reach);
}

function refusal(ip: string, tls: boolean, reach: Reach): string {
  const found = reachOf(ip, reach);
  if (found === 'any' || (found === 'tls' && tls)) return '';
  return found === 'tls'
    ? 'Without TLS only networks are called that the configuration of the server allows.'
    : 'Addresses within a network are not called, unless the configuration of the server allows it.';
}

type Resolve = (name: string, done: (error: Error | null, addresses: LookupAddress[]) => void) => void;
const resolveName: Resolve = (name, done) => lookUp(name, { all: true }, done);

/**
 * The look-up of a socket that connects only where it may. The socket takes the address from here, so a name cannot lead elsewhere
 * between the check and the connection. One forbidden address among several refuses the name.
 */
export function guardedLookup(tls: boolean, reach: Reach, resolve: Resolve = resolveName): LookupFunction {
  return (name, options, done) => {
    resolve(name, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error || !first) return done(error ?? new Error(`${name} has no address`), '', 4);
      const why = addresses.map(({ address }) => refusal(address, tls, reach)).find(Boolean);
      if (why) return done(new AddressRefused(why), '', 4);
      if (options.all) return done(null, addresses);
      done(null, first.address, first.family);
    });
  };
}
