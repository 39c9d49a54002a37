// Tests the whole contract with bad input: every hostile value in each field, and no secret in an answer or in the log.
import { describe } from 'vitest';
import { walkBadInput } from '#testing/walks/bad-input.server.ts';
import { aCompany } from '#testing/walks/company.server.ts';
import { walkSecrets } from '#testing/walks/secrets-stay.server.ts';

const company = aCompany();
describe('bad input', () => {
  walkBadInput(company, { isWhole: true });
});
describe('secrets', () => {
  walkSecrets(company, { isWhole: true });
});
