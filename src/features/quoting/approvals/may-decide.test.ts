// Which roles may decide which rules, as a table.
import { expect, test } from 'vitest';
import type { Role } from '#shared/roles.ts';
import { mayDecide } from './may-decide.ts';

test.each<[Role[], Role[], boolean]>([
  [['salesQuoteManager'], ['salesQuoteManager'], true],
  [['salesQuoteManager'], ['salesQuoteManager', 'salesadmin'], false],
  [['salesQuoteManager'], ['contractdept'], false],
  [['salesadmin'], ['salesQuoteManager', 'salesadmin'], true],
  [['salesadmin'], ['salesadmin', 'contractdept'], true],
  [['salesadmin'], ['systemadmin'], false],
  [['contractdept'], ['contractdept'], true],
  [['contractdept'], ['salesQuoteManager'], false],
  [['salesadmin', 'contractdept'], ['salesQuoteManager', 'contractdept'], true],
  [['systemadmin'], ['salesadmin', 'contractdept'], true],
  [['insiderep'], ['salesQuoteManager'], false],
])('%j deciding rules of %j: %s', (roles, rules, may) => {
  expect(
    mayDecide(
      { roles },
      rules.map((role) => ({ role })),
    ),
  ).toBe(may);
});
