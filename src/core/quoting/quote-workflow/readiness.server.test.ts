// Tests what a quote needs before Submit, RequestApproval and Send.
import { expect, test } from 'vitest';
import { blankLine, type Line } from '#core/quoting/quotes/quote-rows.ts';
import { missingFrom } from './readiness.server.ts';

const HEADER = { facility_id: 1, contact_name: 'Pat Buyer' };
const LINE: Line = {
  ...blankLine(1, 1, 'item'),
  line_no: 1,
  item_number: 'IT-1',
  description: 'Gauze',
  qty: 2,
  unit_price: 10,
};

test('a complete quote lacks nothing', () => {
  expect(missingFrom(HEADER, [LINE, { ...LINE, line_no: 2, type: 'custom', item_number: '' }])).toEqual([]);
  expect(missingFrom(HEADER, [LINE, { ...LINE, type: 'section', qty: 0, unit_price: null }])).toEqual([]);
  expect(missingFrom(HEADER, [LINE, { ...LINE, active: false, unit_price: null }])).toEqual([]);
  expect(missingFrom(HEADER, [{ ...LINE, unit_price: 0 }])).toEqual([]);
});

test.each<[object, Line[], string[]]>([
  [{ facility_id: null }, [LINE], ['Choose a facility.']],
  [{ contact_name: '' }, [LINE], ['Enter a contact.']],
  [{}, [], ['Add at least one line.']],
  [{}, [{ ...LINE, active: false }], ['Add at least one line.']],
  [
    {},
    [
      { ...LINE, type: 'section' },
      { ...LINE, type: 'free' },
    ],
    ['Add at least one line.'],
  ],
  [{}, [{ ...LINE, qty: 0 }], ['Line 1 (IT-1): the quantity must be above 0.']],
  [{}, [{ ...LINE, unit_price: null }], ['Line 1 (IT-1): there is no price.']],
  [{}, [{ ...LINE, price_problem: 'No factor from CS to EA.' }], ['Line 1 (IT-1): No factor from CS to EA.']],
  [{}, [{ ...LINE, type: 'custom', item_number: '', description: '' }], ['Line 1: enter a description.']],
  [{ facility_id: null, contact_name: '' }, [], ['Choose a facility.', 'Enter a contact.', 'Add at least one line.']],
])('%j with %j: %j', (header, lines, messages) => {
  expect(missingFrom({ ...HEADER, ...header }, lines).map(({ message }) => message)).toEqual(messages);
});

test('with many wrong lines it names the first and counts the others', () => {
  const lines = Array.from({ length: 50 }, (_line, index) => ({ ...LINE, line_no: index + 1, qty: 0 }));
  const messages = missingFrom(HEADER, lines).map(({ message }) => message);
  expect(messages).toHaveLength(21);
  expect(messages.at(-1)).toBe('30 more lines are not complete.');
  expect(missingFrom(HEADER, lines.slice(0, 21)).at(-1)?.message).toBe('1 more line is not complete.');
});
