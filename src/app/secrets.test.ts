// Tests the whole contract: no secret in an answer or in the log.
import { aCompany } from '#testing/walks/company.server.ts';
import { walkSecrets } from '#testing/walks/secrets-stay.server.ts';

walkSecrets(aCompany(), { isWhole: false });
