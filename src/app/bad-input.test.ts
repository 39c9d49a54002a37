// Tests the whole contract with bad input: a few hostile values in each field.
import { walkBadInput } from '#testing/walks/bad-input.server.ts';
import { aCompany } from '#testing/walks/company.server.ts';

walkBadInput(aCompany(), { isWhole: false });
