// Tests the whole contract: lists, saves that omit fields, and access, types and documentation of each call.
import { describe } from 'vitest';
import { aCompany } from '#testing/walks/company.server.ts';
import { walkContract } from '#testing/walks/every-call.server.ts';
import { walkLists } from '#testing/walks/lists.server.ts';
import { walkLeftOut } from '#testing/walks/partial-saves.server.ts';

const company = aCompany();
describe('lists', () => {
  walkLists(company);
});
describe('left out', () => {
  walkLeftOut(company);
});
describe('contract', () => {
  walkContract(company);
});
