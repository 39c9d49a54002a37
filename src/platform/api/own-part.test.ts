// Tests what a write-only API key sees of an answer: nothing that it did not send, whatever the answer and the input are.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { HttpError } from './http-error.ts';
import { ownPart, sentPart, withoutRecord } from './own-part.ts';

it('keeps ids, versions and what was sent, at its place', () => {
  const answer = {
    id: 7,
    version: 3,
    num: 104_000,
    name: 'North',
    internalNotes: 'margin 40%',
    managerIds: [1, 2],
    facility: { id: 9, name: 'Clinic' },
    quote: { id: 7, version: 3, poNumber: 'PO 1', totalAmount: 20, billTo: { city: 'Hartford', zip: '06106' } },
    items: [
      { id: 11, version: 1, qty: 2, cost: 4 },
      { id: 12, version: 1, qty: 2, cost: 5 },
    ],
  };
  const sent = {
    name: 'North',
    num: 104_001,
    managerIds: [1, 2],
    facility: 9,
    quote: { poNumber: 'PO 1', billTo: { city: 'Hartford', zip: '06107' } },
    items: [{ id: 11, qty: 2, cost: 3 }],
  };
  expect(ownPart(answer, sent)).toEqual({
    id: 7,
    version: 3,
    name: 'North',
    managerIds: [1, 2],
    quote: { id: 7, version: 3, poNumber: 'PO 1', billTo: { city: 'Hartford' } },
    items: [
      { id: 11, version: 1, qty: 2 },
      { id: 12, version: 1 },
    ],
  });
  expect(ownPart(answer, undefined)).toEqual({
    id: 7,
    version: 3,
    quote: { id: 7, version: 3 },
    items: [
      { id: 11, version: 1 },
      { id: 12, version: 1 },
    ],
  });
  expect([ownPart('successful', {}), ownPart(41, {}), ownPart([{ name: 'North' }, 5], {})]).toEqual([null, null, []]);
});

it('does not count what the schema filled in, or does not know, as sent', () => {
  const sent = { name: ' North ', status: 'Won', items: [{ qty: '2' }] };
  const parsed = { name: 'North', active: true, items: [{ qty: 2, optional: false }] };
  expect(sentPart(sent, parsed)).toEqual({ name: 'North', items: [{ qty: 2 }] });
  expect(ownPart({ name: 'North', active: true, status: 'Won' }, sentPart(sent, parsed))).toEqual({ name: 'North' });
});

it('never shows a value that was not sent under that name', () => {
  const names = fc.constantFrom('id', 'version', 'name', 'cost', 'items', 'quote');
  const { json } = fc.letrec((tie) => ({
    json: fc.oneof(
      { depthSize: 'small' },
      fc.integer({ min: 0, max: 3 }),
      fc.constantFrom('a', 'b', null, true),
      fc.array(tie('json'), { maxLength: 3 }),
      fc.dictionary(names, tie('json'), { maxKeys: 4 }),
    ),
  }));
  const leaves = (value: unknown, name = ''): [string, unknown][] =>
    typeof value !== 'object' || value === null
      ? [[name, value]]
      : Object.entries(value).flatMap(([key, entry]) => leaves(entry, Array.isArray(value) ? name : key));
  fc.assert(
    fc.property(json, json, (answer, sent) => {
      const known = new Set(leaves(sent).map((leaf) => JSON.stringify(leaf)));
      const visible = leaves(ownPart(answer, sent)).filter(([name, value]) => name !== '' || value !== null);
      expect(
        visible.filter((leaf) => !['id', 'version'].includes(leaf[0]) && !known.has(JSON.stringify(leaf))),
      ).toEqual([]);
    }),
    { numRuns: 1000 },
  );
});

it('takes the record out of a conflict', () => {
  const conflict = {
    changedBy: 'Pat Doe',
    changedAt: '2026-11-10T15:00:00Z',
    changes: [{ field: 'Notes', before: '', after: 'secret' }],
    current: { id: 7, version: 3, internalNotes: 'secret', items: [{ id: 8, cost: 4 }] },
  };
  const answer = withoutRecord(new HttpError(409, 'Changed.', { conflict }));
  expect(answer).toMatchObject({
    status: 409,
    message: expect.stringMatching(/^It was changed in the meantime/) as unknown,
  });
  expect(answer.conflict).toEqual({ changedBy: null, changedAt: null, changes: [], current: { id: 7, version: 3 } });
  const plain = new HttpError(422, 'Wrong.', { errors: [{ path: 'qty', message: 'Wrong.' }] });
  expect(withoutRecord(plain)).toBe(plain);
  expect(withoutRecord(new HttpError(409, 'Gone.', { conflict: { ...conflict, current: null } })).conflict).toEqual({
    changedBy: null,
    changedAt: null,
    changes: [],
    current: null,
  });
});

it('takes amounts and percentages out of the reasons', () => {
  const jump = 'This is 40.00 times the price beside it, $9.00 per EA.';
  const answer = withoutRecord(new HttpError(422, jump, { errors: [{ path: 'confirmed', message: jump }] }));
  const instead = 'The reason contains stored data, which only a key with the read scope can see.';
  expect([answer.message, answer.errors]).toEqual([instead, [{ path: 'confirmed', message: instead }]]);
  expect(withoutRecord(new HttpError(409, 'The total is €12.00 by now.')).message).toBe(instead);
  expect(withoutRecord(new HttpError(409, 'Margin 12% < 20%')).message).toBe(instead);
});
