// Tests which roles decide which rules, whose authority a deputy has, and that nobody decides their own request.
import { describe, expect, test } from 'vitest';
import type { Role } from '#platform/shared/roles.ts';
import { type Absentee, type Approver, capacityFor, reaches } from './may-decide.ts';

test.each<[Role[], Role, boolean]>([
  [['salesQuoteManager'], 'salesQuoteManager', true],
  [['salesQuoteManager'], 'salesadmin', false],
  [['salesQuoteManager'], 'contractdept', false],
  [['salesadmin'], 'salesQuoteManager', true],
  [['salesadmin'], 'salesadmin', true],
  [['salesadmin'], 'contractdept', true],
  [['salesadmin'], 'systemadmin', false],
  [['contractdept'], 'contractdept', true],
  [['contractdept'], 'salesQuoteManager', false],
  [['salesadmin', 'contractdept'], 'contractdept', true],
  [['systemadmin'], 'salesadmin', true],
  [['systemadmin'], 'systemadmin', true],
  [['insiderep'], 'salesQuoteManager', false],
  [['csrep'], 'contractdept', false],
])('%j deciding a rule of %s: %s', (roles, rule, may) => {
  expect(reaches(roles, rule)).toBe(may);
});

describe('the capacity in which a person decides', () => {
  const QUOTE = { region_id: 1, owner_id: null, sales_rep_id: null };
  const ELSEWHERE = { ...QUOTE, region_id: 2 };
  const person = (id: number, roles: Role[], regionIds: number[] = []): Approver => ({ id, roles, regionIds });
  const absent = (approver: Approver, fullName: string): Absentee => ({ ...approver, fullName });
  const manager = person(1, ['salesQuoteManager'], [1]);
  const otherManager = person(2, ['salesQuoteManager'], [2]);
  const csrep = person(3, ['csrep']);
  const PAT = absent(manager, 'Pat');
  const LEE = absent(person(4, ['contractdept']), 'Lee');
  const as = (
    who: Approver,
    deputyFor: Absentee[],
    rule: Role,
    { quote = QUOTE, requestedById = 9 }: { quote?: typeof QUOTE; requestedById?: number | null } = {},
  ) => {
    const capacity = capacityFor({ ...who, deputyFor }, rule, quote, requestedById);
    return capacity && (capacity.deputyFor?.fullName ?? 'self');
  };

  test.each<[string, string | null, string | null]>([
    ['a manager of the region', as(manager, [], 'salesQuoteManager'), 'self'],
    ['a manager of another region', as(otherManager, [], 'salesQuoteManager'), null],
    [
      'a manager whose own sale it is',
      as(otherManager, [], 'salesQuoteManager', { quote: { ...QUOTE, sales_rep_id: 2 } as never }),
      'self',
    ],
    ['a manager of another region as the deputy', as(otherManager, [PAT], 'salesQuoteManager'), 'Pat'],
    ['a deputy without a role of their own', as(csrep, [PAT], 'salesQuoteManager'), 'Pat'],
    ['a deputy, on a rule of another role', as(csrep, [PAT], 'contractdept'), null],
    ['a deputy of two, on the rule of the second', as(csrep, [PAT, LEE], 'contractdept'), 'Lee'],
    [
      'a deputy, on a quote the absent person does not see',
      as(csrep, [PAT], 'salesQuoteManager', { quote: ELSEWHERE }),
      null,
    ],
    ['who may decide alone, though a deputy too', as(manager, [LEE], 'salesQuoteManager'), 'self'],
    ['the requester', as(manager, [], 'salesQuoteManager', { requestedById: 1 }), null],
    ['the requester as a deputy', as(csrep, [PAT], 'salesQuoteManager', { requestedById: 3 }), null],
    ['the deputy of the requester', as(csrep, [PAT], 'salesQuoteManager', { requestedById: 1 }), null],
    ['nobody has asked yet', as(manager, [], 'salesQuoteManager', { requestedById: null }), 'self'],
  ])('%s', (_who, result, expected) => {
    expect(result).toBe(expected);
  });
});
