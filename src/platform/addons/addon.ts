// Defines an add-on: a feature beside the core that an administrator can switch off (docs/addons.md).
import type { Contract } from '#platform/api/endpoint.ts';

export type Addon<C extends Record<string, Contract> = Record<string, Contract>> = {
  /** Its folder in src/addons. */
  name: string;
  title: string;
  /** One sentence for the person who decides whether it is on. */
  purpose: string;
  /** What stops while it is off, where that is more than its screens. */
  whileOff?: string;
  /** The add-ons without which it is off, too. */
  needs?: readonly string[];
  /** Its calls by group. */
  calls: C;
};

export const defineAddon = <C extends Record<string, Contract>>(addon: Addon<C>): Addon<C> => addon;
