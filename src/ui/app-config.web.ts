// The configuration that the server writes into every page, in a script element of index.html.
import type { Logo } from '#shared/logo.ts';
import type { PricePlaces } from '#shared/money.ts';

export type AppConfig = {
  title: string;
  companyName: string;
  /** Null shows the product's own mark. */
  logo: Logo | null;
  /** The client id and secret of the refresh call. */
  clientId: string;
  clientSecret: string;
  internalSite: boolean;
  /** The company's sign-in at a provider: the words on its button, and whether the password form is for one administrator alone. */
  signOn: { button: string; localOff: boolean } | null;
  /** Leaflet's template of the tiles behind the map, and whom to name for them. */
  mapTiles: { url: string; credit: string } | null;
  /** The company's: every screen says the time in it. */
  timeZone: string;
  /** The company's, for previews of discounted prices. */
  pricePlaces: PricePlaces;
  /** Accounts for anyone to try; only in the demo. */
  demo: { password: string; accounts: { userName: string; what: string }[] } | null;
};

const DEFAULTS: AppConfig = {
  title: 'Quoteboard',
  companyName: '',
  logo: null,
  clientId: '',
  clientSecret: '',
  internalSite: false,
  signOn: null,
  mapTiles: null,
  timeZone: '',
  pricePlaces: 2,
  demo: null,
};

// Tests read this file in Node, where there is no page.
const text = typeof document === 'undefined' ? null : document.getElementById('app-config')?.textContent;
const given = JSON.parse(text || '{}') as Partial<AppConfig>;

export const appConfig: AppConfig = {
  ...DEFAULTS,
  ...given,
  demo: given.demo ? { ...given.demo, accounts: given.demo.accounts ?? [] } : null,
};
