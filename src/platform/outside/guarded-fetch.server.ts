// Fetches from addresses that users typed or that an outside system named, if they are public or allowed by the configuration.
import { Agent, buildConnector, fetch as fetchBy } from 'undici';
import { AddressRefused, guardedLookup, type Reach, wrongAddress } from './reachable-address.server.ts';

/**
 * Returns a `fetch` that connects only to addresses in reach. Otherwise it rejects with AddressRefused, which contains the reason. Callers must not
 * follow redirects: pass `redirect: 'manual'` or 'error'. `resolve` looks up names; tests replace it.
 */
export function guardedFetch(reach: Reach, resolve?: Parameters<typeof guardedLookup>[2]): typeof fetch {
  const connectors = {
    tls: buildConnector({ lookup: guardedLookup(true, reach, resolve) }),
    plain: buildConnector({ lookup: guardedLookup(false, reach, resolve) }),
  };
  const dispatcher = new Agent({
    // A socket looks up only names, so an IP address is checked here, even if a redirect leads to it.
    connect: (options, done) => {
      const why = wrongAddress(`${options.protocol}//${options.host ?? options.hostname}`, reach);
      if (why) return done(new AddressRefused(why), null);
      connectors[options.protocol === 'https:' ? 'tls' : 'plain'](options, done);
    },
  });
  return (async (input: string | URL, init?: object) => {
    const url = new URL(input);
    const why = wrongAddress(url.href, reach);
    if (why) throw new AddressRefused(why);
    try {
      return await fetchBy(url, { ...init, dispatcher });
    } catch (error) {
      const { cause } = error as Error;
      throw cause instanceof AddressRefused ? cause : error;
    }
  }) as unknown as typeof fetch;
}
