// Defines an add-on: a feature beside the core that an administrator can switch off (docs/addons.md).
import type { Contract } from '#platform/api/endpoint.ts';

export type Addon<C extends Record<string, Contract> = Record<string, Contract>> = {
  /** Its folder in src/addons. */
  name: string;
  title: string;
  /** One sentence that helps an administrator decide whether to switch it on. */
  purpose: string;
  /** What stops while it is off, if more than its screens stops. */
  whileOff?: string;
  /** The add-ons that it depends on. It is off while one of them is off. */
  needs?: readonly string[];
  /** Its calls by group. */
  calls: C;
};

export const defineAddon = <C extends Record<string, Contract>>(addon: Addon<C>): Addon<C> => addon;
