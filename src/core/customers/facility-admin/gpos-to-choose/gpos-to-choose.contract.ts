// Defines our own call for facilities on the rosters of several GPOs, whose primary GPO a user must choose.
import { z } from 'zod';
import { post } from '#platform/api/endpoint.ts';
import { PageInput, pageOf, Text } from '#platform/shared/wire.ts';

const GpoToChoose = z.object({
  id: z.number().int(),
  name: z.string(),
  /** The contracts of the GPO whose rosters include the facility. */
  contracts: z.array(z.string()),
  /** The facility's declared membership in the GPO, which is not primary. Null if there is none. */
  membership: z.object({ id: z.number().int(), from: z.string() }).nullable(),
});

export const FacilityToDecide = z.object({
  id: z.number().int(),
  acctNo: z.string(),
  name: z.string(),
  city: z.string(),
  state: z.string(),
  /** The facility's version, for saving the choice. */
  version: z.number().int(),
  gpos: z.array(GpoToChoose),
  /** The day since which rosters of more than one GPO include it. */
  since: z.string(),
  /** The number of the facility's open quotes. */
  quotes: z.number().int(),
});
export type FacilityToDecide = z.infer<typeof FacilityToDecide>;

export const ToDecideCriteria = PageInput.extend({
  /** Searches the facility's name, account number, city and ZIP. */
  keyword: Text(200).nullish(),
  pageSize: z.number().int().min(1).max(200).default(50),
});

export const GposToChoose = {
  SearchGposToChoose: post('/api/Contract/SearchGposToChoose', ToDecideCriteria, pageOf(FacilityToDecide), {
    access: 'user',
    summary:
      'Active facilities that the rosters of several GPOs name and that have no declared primary GPO. Their contract prices do not apply until one is declared.',
  }),
};
