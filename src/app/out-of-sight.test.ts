// Tests the whole contract with records that a user may not see.
import { aCompany } from '#testing/walks/company.server.ts';
import { walkOutOfSight } from '#testing/walks/out-of-sight.server.ts';

walkOutOfSight(aCompany());
