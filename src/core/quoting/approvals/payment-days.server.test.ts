// Tests that payment terms as users type them result in the right number of days.
import { expect, test } from 'vitest';
import { PAYMENT_TERMS } from '#core/customers/facilities/terms.ts';
import { paymentDays } from './payment-days.server.ts';

test.each<[string, number | null]>([
  ['Net 30', 30],
  ['NET30', 30],
  ['net 45 days', 45],
  ['n/60', 60],
  ['N30', 30],
  ['30 days', 30],
  ['30 days net', 30],
  ['30', 30],
  ['Due in 15 days', 15],
  ['Net 7.', 7],
  ['2% 10, Net 30', 30],
  ['2% 10 Net 30', 30],
  ['2%/10, net 30', 30],
  ['2/10, n/30', 30],
  ['2/10 net 30', 30],
  ['1.5% 15 days, Net 45', 45],
  ['Prepaid', 0],
  ['pre-paid', 0],
  ['Prepayment', 0],
  ['Cash in advance', 0],
  ['CIA', 0],
  ['COD', 0],
  ['Due on receipt', 0],
  ['Due upon receipt', 0],
  ['Credit card', 0],
  ['', null],
  ['Net', null],
  ['Net 30 EOM', null],
  ['Net 30 or 60', null],
  ['As agreed', null],
  ['2% 10', null],
  ['50% prepaid, 50% net 30', null],
  ['Net 1000', null],
  ['Net thirty', null],
  ['Net -30', null],
])('%j is due after %s days', (terms, days) => {
  expect(paymentDays(terms)).toBe(days);
});

test('reads every term that the screens offer', () => {
  for (const terms of PAYMENT_TERMS) expect([terms, paymentDays(terms)]).not.toEqual([terms, null]);
});
