// Tests the sentence that describes a request for approval.
import { expect, it } from 'vitest';
import type { Asked } from './approval-shapes.ts';
import { askedWords } from './asked-words.ts';

const ASKED: Asked = {
  requestedBy: 'Sam Roe',
  comment: 'Match of a competing offer.\nSee the email.',
  systemTotal: 91_442,
  discount: 10_973.04,
  discountPct: 12,
  marginBefore: 45.11,
  marginAfter: 37.62,
  underFloor: 0,
  lastDiscountPct: 8,
};
const words = (overrides: Partial<Asked> = {}) => askedWords({ ...ASKED, ...overrides }, 'Mercy Hospital', 1007);

it.each([
  [
    {},
    'Sam Roe asks for 12% off $91,442.00 (−$10,973.04) at Mercy Hospital: Match of a competing offer. See the email. Margin falls from 45.1 to 37.6%; no line is below its floor; last discount for this facility: 8%.',
  ],
  [
    { comment: '', underFloor: 1, lastDiscountPct: null },
    'Sam Roe asks for 12% off $91,442.00 (−$10,973.04) at Mercy Hospital. Margin falls from 45.1 to 37.6%; 1 line is below the floor.',
  ],
  [
    { comment: '', discount: 1.48, discountPct: 0, lastDiscountPct: null },
    'Sam Roe asks for $1.48 off $91,442.00 at Mercy Hospital. Margin falls from 45.1 to 37.6%; no line is below its floor.',
  ],
  [
    { comment: 'Big', discount: 0, discountPct: 0, marginAfter: 45.11, underFloor: 2 },
    'Sam Roe asks for approval of $91,442.00 at Mercy Hospital: Big. Margin stays at 45.1%; 2 lines are below the floor; last discount for this facility: 8%.',
  ],
  [
    { requestedBy: '', comment: '', discount: -100, discountPct: -0.11, marginAfter: 45.2, lastDiscountPct: null },
    'Requested: $100.00 more than $91,442.00 at Mercy Hospital. Margin rises from 45.1 to 45.2%; no line is below its floor.',
  ],
  [
    { comment: '?', marginBefore: null, marginAfter: null, lastDiscountPct: null },
    'Sam Roe asks for 12% off $91,442.00 (−$10,973.04) at Mercy Hospital: ?. No line is below its floor.',
  ],
])('%j', (input, sentence) => {
  expect(words(input)).toBe(sentence);
});
