// The walks over the whole contract, on one server with one company. One of them alone: `npm test -- src/app/every-call.test.ts -t 'bad input'`.
import { afterAll, beforeAll, describe } from 'vitest';
import { walkBadInput } from '#testing/walks/bad-input.server.ts';
import { type Company, startCompany } from '#testing/walks/company.server.ts';
import { walkContract } from '#testing/walks/every-call.server.ts';
import { walkLeftOut } from '#testing/walks/partial-saves.server.ts';
import { walkLists } from '#testing/walks/lists.server.ts';
import { walkOutOfSight } from '#testing/walks/out-of-sight.server.ts';
import { walkSecrets } from '#testing/walks/secrets-stay.server.ts';

let company: Company;
beforeAll(async () => {
  company = await startCompany();
});
afterAll(() => company.server.close());

type Walk = (company: () => Company) => void;
/** The tidy ones first: bad input leaves nothing as it was, and the secrets are also those of all calls before. */
const WALKS: [name: string, walk: Walk][] = [
  ['lists', walkLists],
  ['left out', walkLeftOut],
  ['out of sight', walkOutOfSight],
  ['contract', walkContract],
  ['bad input', walkBadInput],
  ['secrets', walkSecrets],
];

describe.each(WALKS)('%s', (_name, walk) => {
  walk(() => company);
});
