// Walks over the whole contract: records that a person may not see.
import { aCompany } from '#testing/walks/company.server.ts';
import { walkOutOfSight } from '#testing/walks/out-of-sight.server.ts';

walkOutOfSight(aCompany());
