// What the server tells every page about itself, in a script element of index.html.
import type { Logo } from '#shared/logo.ts';

export type AppConfig = {
  title: string;
  companyName: string;
  /** Null: the product's own mark. */
  logo: Logo | null;
  /** With which this client proves itself when it refreshes a session. */
  clientId: string;
  clientSecret: string;
  internalSite: boolean;
  /** Accounts anyone may try, only in the demo. */
  demo: { password: string; accounts: { userName: string; what: string }[] } | null;
};

const DEFAULTS: AppConfig = {
  title: 'Quoteboard',
  companyName: '',
  logo: null,
  clientId: '',
  clientSecret: '',
  internalSite: false,
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
