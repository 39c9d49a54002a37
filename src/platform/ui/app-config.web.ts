// The configuration that the server writes into every page, in a script element of index.html.
import type { Logo } from '#platform/shared/logo.ts';
import type { PricePlaces } from '#platform/shared/money.ts';

export type AppConfig = {
  title: string;
  companyName: string;
  /** Null shows the product's logo. */
  logo: Logo | null;
  /** The client id and secret that the refresh call sends. */
  clientId: string;
  clientSecret: string;
  internalSite: boolean;
  /** The company's single sign-on: the text of its button, and whether only one administrator may use the password form. */
  signOn: { button: string; localOff: boolean } | null;
  /** Leaflet's template for the tiles behind the map, and their attribution. */
  mapTiles: { url: string; credit: string } | null;
  /** The names of the add-ons that are switched off. */
  switchedOff: string[];
  /** Whether the originals of pictures are stored in a cloud. */
  pictureCloud: boolean;
  /** The company's time zone. Every screen shows times in it. */
  timeZone: string;
  /** The decimal places of the company's prices, for previews of discounted prices. */
  pricePlaces: PricePlaces;
  /** The nonce that style elements need to apply; empty in development. */
  styleNonce: string;
  /** Accounts that anyone may try. Only the demo has them. */
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
  switchedOff: [],
  pictureCloud: false,
  timeZone: '',
  pricePlaces: 2,
  styleNonce: '',
  demo: null,
};

// Tests import this file in Node, where there is no document.
const text = typeof document === 'undefined' ? null : document.getElementById('app-config')?.textContent;
const config = JSON.parse(text || '{}') as Partial<AppConfig>;

export const appConfig: AppConfig = {
  ...DEFAULTS,
  ...config,
  demo: config.demo ? { ...config.demo, accounts: config.demo.accounts ?? [] } : null,
};
