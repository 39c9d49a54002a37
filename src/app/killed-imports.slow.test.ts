// Kills servers in the middle of imports and uploads: a file is stored completely or not at all, and the next server completes the work once.
import { expect, it } from 'vitest';
import { contractFile } from '#testing/kills/contract-file.server.ts';
import { contractPrices } from '#testing/kills/contract-prices.server.ts';
import { zipImport } from '#testing/kills/import.server.ts';
import { type KillCase, killAndProve } from '#testing/kills/kill-case.server.ts';
import { savings } from '#testing/kills/savings.server.ts';
import { zipAreas } from '#testing/kills/zip-areas.server.ts';

/** The work in progress, and what must be true after the kills. */
const TABLE: { what: string; aCase: () => Promise<KillCase> }[] = [
  { what: 'an import or its undo does all or nothing', aCase: zipImport },
  { what: 'an upload is stored whole or not at all', aCase: contractFile },
  { what: 'contract prices are applied whole or not at all', aCase: contractPrices },
  { what: 'each row of a usage file is read and matched once', aCase: savings },
  { what: 'imported areas replace all states or none', aCase: zipAreas },
];

it.each(TABLE)('$what', { timeout: 1_800_000 }, async ({ aCase }) => {
  expect(await killAndProve(await aCase())).toBe(0);
});
