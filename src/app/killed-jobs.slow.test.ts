// Kills servers in the middle of orders, plans and work on stored records: the next server completes it, once.
import { expect, it } from 'vitest';
import { type KillCase, killAndProve } from '#testing/kills/kill-case.server.ts';
import { orders } from '#testing/kills/orders.server.ts';
import { planPublishing } from '#testing/kills/plan-publishing.server.ts';
import { retention } from '#testing/kills/retention.server.ts';
import { risks } from '#testing/kills/risks.server.ts';

/** The work in progress, and what must be true after the kills. */
const TABLE: { what: string; aCase: () => Promise<KillCase> }[] = [
  { what: 'each won quote has one order with one number', aCase: orders },
  { what: 'old records are cleared once, and reported once', aCase: retention },
  { what: 'each risk exists once, and no change is left', aCase: risks },
  { what: 'a plan is published and rolled back whole or not at all', aCase: planPublishing },
];

it.each(TABLE)('$what', { timeout: 1_800_000 }, async ({ aCase }) => {
  expect(await killAndProve(await aCase())).toBe(0);
});
