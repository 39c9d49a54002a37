// Tests that every call that writes is in the table of what is read again.
import { expect, it } from 'vitest';
import type { Endpoint } from '#platform/api/endpoint.ts';
import { contract } from './contract.ts';
import { isOldAfter, READ_AGAIN } from './reads-after-write.ts';

/** The screens of quotes and imports handle their own changes. */
const FOLLOWED_BY_SCREENS = ['QuoteEdit/', 'QuoteWorkflow/', 'QuoteFileUpload/', 'QuoteDoc/', 'DataImport/'];
/** No user is signed in afterwards. */
const NOTHING_LEFT = ['Account/SignOut', 'Account/ResetPassword'];

const calls = Object.values(contract).flatMap((group) => Object.values<Endpoint>(group));

it('has one row for each call that writes, unless its screen follows it itself', () => {
  const known = [...Object.keys(READ_AGAIN), ...FOLLOWED_BY_SCREENS, ...NOTHING_LEFT];
  for (const { path } of calls.filter(({ writes }) => writes)) {
    expect([path, known.filter((candidate) => path.startsWith(`/api/${candidate}`)).length]).toEqual([path, 1]);
  }
});

it('names only addresses that exist', () => {
  for (const entry of [...Object.keys(READ_AGAIN), ...Object.values(READ_AGAIN).flat()]) {
    expect(calls.filter(({ path }) => path.startsWith(`/api/${entry}`))).not.toEqual([]);
  }
});

it('finds what changed and leaves the rest', () => {
  const saved = '/api/Territory/SaveTerritory';
  expect(isOldAfter(saved, '/api/Territory/GetAllTerritories')).toBe(true);
  expect(isOldAfter(saved, '/api/FacilitySearch/GetFacilityDataById')).toBe(true);
  expect(isOldAfter(saved, '/api/History/GetHistory')).toBe(true);
  expect(isOldAfter(saved, '/api/ItemPromotion/searchItemPromotionAdvanced')).toBe(false);
  expect(isOldAfter('/api/QuoteEdit/SaveQuoteItem', '/api/QuoteEdit/GetQuoteActivity')).toBe(false);
});
