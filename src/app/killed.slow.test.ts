// Kills servers in the middle of each kind of work: the next server completes it, nothing is lost and nothing is doubled.
import { expect, it } from 'vitest';
import { contractFile } from '#testing/kills/contract-file.server.ts';
import { contractPrices } from '#testing/kills/contract-prices.server.ts';
import { crmPushes } from '#testing/kills/crm-pushes.server.ts';
import { importInbox } from '#testing/kills/import-inbox.server.ts';
import { zipImport } from '#testing/kills/import.server.ts';
import { type KillCase, killAndProve } from '#testing/kills/kill-case.server.ts';
import { orders } from '#testing/kills/orders.server.ts';
import { pictures } from '#testing/kills/pictures.server.ts';
import { planPublishing } from '#testing/kills/plan-publishing.server.ts';
import { risks } from '#testing/kills/risks.server.ts';
import { savesAndMails } from '#testing/kills/saves-and-mails.server.ts';
import { retention } from '#testing/kills/retention.server.ts';
import { savings } from '#testing/kills/savings.server.ts';
import { webhooks } from '#testing/kills/webhooks.server.ts';
import { zipAreas } from '#testing/kills/zip-areas.server.ts';

/** What is under way, and what holds after the kills. */
const TABLE: { what: string; aCase: () => Promise<KillCase> }[] = [
  { what: 'every acknowledged save is there, and every mail goes out once', aCase: savesAndMails },
  { what: 'an import or its undo does all or nothing', aCase: zipImport },
  { what: 'an upload is stored whole or not at all', aCase: contractFile },
  { what: 'every webhook arrives, under one id', aCase: webhooks },
  { what: 'each won quote has one order with one number', aCase: orders },
  { what: 'what is old goes once, and is told once', aCase: retention },
  { what: 'each pushed quote has one opportunity with each line once', aCase: crmPushes },
  { what: 'each file of the watched folder is imported once', aCase: importInbox },
  { what: 'each file of the picture inbox is one picture in one place', aCase: pictures },
  { what: 'contract prices are applied whole or not at all', aCase: contractPrices },
  { what: 'each risk exists once, and no change is left', aCase: risks },
  { what: 'each row of a usage file is read and matched once', aCase: savings },
  { what: 'imported areas replace all states or none', aCase: zipAreas },
  { what: 'a plan is published and rolled back whole or not at all', aCase: planPublishing },
];

it.each(TABLE)('$what', { timeout: 1_800_000 }, async ({ aCase }) => {
  expect(await killAndProve(await aCase())).toBe(0);
});
