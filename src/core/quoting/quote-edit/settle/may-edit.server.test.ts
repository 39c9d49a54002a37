// Tests who may edit in which status, as a table.
import { expect, test } from 'vitest';
import { STATUSES, type StatusId } from '#core/quoting/quotes/status.ts';
import type { Role } from '#platform/shared/roles.ts';
import { editRights } from './may-edit.server.ts';

type Who = { name: string; roles: Role[]; ownerSide?: boolean; managesRegion?: boolean };
const REP: Who = { name: 'the sales rep', roles: ['salesrep'], ownerSide: true };
const SUPPORT: Who = { name: 'who supports the rep', roles: ['salessupport'], ownerSide: true };
const MANAGER: Who = {
  name: 'the manager of the region',
  roles: ['salesQuoteManager'],
  ownerSide: true,
  managesRegion: true,
};
const OTHER_MANAGER: Who = { name: 'a manager who wrote it elsewhere', roles: ['salesQuoteManager'], ownerSide: true };
const INSIDE: Who = { name: 'an inside rep', roles: ['insiderep'] };
const CS: Who = { name: 'a customer service rep', roles: ['csrep'] };
const SALES_ADMIN: Who = { name: 'a sales administrator', roles: ['salesadmin'] };
const CONTRACTS: Who = { name: 'the contract department', roles: ['contractdept'] };

const DRAFTS: StatusId[] = ['Editing', 'Revising', 'NeedMoreInfo'];
const PROCESSED: StatusId[] = ['Processing', 'DiscountApproved'];

const table: [Who, StatusId[]][] = [
  [REP, DRAFTS],
  [SUPPORT, DRAFTS],
  [OTHER_MANAGER, DRAFTS],
  [MANAGER, [...DRAFTS, ...PROCESSED]],
  [INSIDE, [...DRAFTS, ...PROCESSED]],
  [CS, [...DRAFTS, ...PROCESSED]],
  [SALES_ADMIN, [...DRAFTS, ...PROCESSED]],
  [CONTRACTS, []],
];

const rights = (who: Who, statusId: StatusId, pending = false) =>
  editRights({
    statusId,
    pending,
    user: who,
    ownerSide: who.ownerSide ?? false,
    managesRegion: who.managesRegion ?? false,
  });

test.each(table)('$name edits in $1', (who, statuses) => {
  for (const statusId of STATUSES) {
    const result = rights(who, statusId);
    expect([statusId, result.commercial, result.notes]).toEqual([
      statusId,
      statuses.includes(statusId),
      statuses.includes(statusId),
    ]);
    expect(result.reason === '').toBe(result.commercial);
  }
});

test('a pending approval locks the commercial content for everybody, not the notes', () => {
  expect(rights(INSIDE, 'Processing', true)).toMatchObject({
    commercial: false,
    promotions: false,
    notes: true,
    locked: true,
  });
  expect(rights(REP, 'Processing', true)).toMatchObject({ commercial: false, notes: false, locked: false });
});

test('only internal users apply promotions', () => {
  expect(rights(INSIDE, 'Processing').promotions).toBe(true);
  expect(rights(SALES_ADMIN, 'Processing').promotions).toBe(false);
  expect(rights(REP, 'Editing').promotions).toBe(false);
});

test('the reason for a refusal is a sentence', () => {
  expect(rights(REP, 'Processing')).toMatchObject({
    locked: false,
    reason: 'This quote is being processed. Ask the person who is processing it to change it.',
  });
  expect(rights(INSIDE, 'WaitingForProcess')).toMatchObject({
    locked: true,
    reason: 'This quote is waiting to be processed. Recall it, or start processing it, to edit it.',
  });
  expect(rights(INSIDE, 'Won')).toMatchObject({
    locked: true,
    reason: 'This quote is won. A sales administrator can reopen it.',
  });
});
