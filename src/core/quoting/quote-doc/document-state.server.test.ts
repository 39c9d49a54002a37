// Tests what the customer may still do with a document, for every status of its quote.
import { expect, test } from 'vitest';
import type { StatusId } from '#core/quoting/quotes/status.ts';
import { type DocumentFacts, noticeOf, stateOfDocument } from './document-state.server.ts';

const FACTS: DocumentFacts = {
  status: 'SentToCustomer',
  current: true,
  replaced: false,
  expired: false,
  validUntil: '01/01/2027',
  acceptance: null,
  acceptedOn: '',
  declinedOn: '',
};
const JANE = { name: 'Jane Doe', title: 'Buyer', poNumber: 'PO-1', at: '2026-11-20T10:00:00Z' };

test.each<[Partial<DocumentFacts>, ReturnType<typeof stateOfDocument>, string]>([
  [{}, 'Open', ''],
  [{ expired: true }, 'Expired', 'This quote expired on 01/01/2027. Ask us for a new one.'],
  [
    { status: 'Won', acceptance: JANE, acceptedOn: '11/20/2026' },
    'Accepted',
    'This quote was accepted by Jane Doe on 11/20/2026.',
  ],
  [{ status: 'Won', acceptedOn: '11/20/2026' }, 'Accepted', 'This quote was accepted on 11/20/2026.'],
  [
    { status: 'Lost', declinedOn: '11/20/2026' },
    'Declined',
    'This quote was declined on 11/20/2026. If you have changed your mind, contact us.',
  ],
  [{ status: 'Lost' }, 'Closed', 'This quote is closed. If you still need it, contact us.'],
  [{ status: 'Revising', current: false }, 'Superseded', 'This quote is being revised. We will send you the new one.'],
  [
    { status: 'SentToCustomer', current: false, replaced: true },
    'Superseded',
    'This quote has been replaced by a newer one. Use the latest one we sent you, or contact us.',
  ],
  [{ status: 'Cancelled', current: false }, 'Closed', 'This quote is closed. If you still need it, contact us.'],
  [
    { status: 'Processing', current: false, acceptance: JANE, acceptedOn: '11/20/2026' },
    'Superseded',
    'This quote is being revised. We will send you the new one.',
  ],
])('%j is %s: %s', (overrides, state, notice) => {
  const facts = { ...FACTS, ...overrides };
  expect(stateOfDocument(facts)).toBe(state);
  expect(noticeOf(state, facts)).toBe(notice);
});

test.each<StatusId>([
  'Editing',
  'WaitingForProcess',
  'Processing',
  'NeedMoreInfo',
  'DiscountApproved',
  'Revising',
  'Cancelled',
])('in %s nothing is open', (status) => {
  expect(stateOfDocument({ ...FACTS, status })).toBe('Closed');
});
