// What a facility's page shows beside its record (our own calls): its quotes in figures, its prices. No cost is in any of it.
import { z } from 'zod';
import { post } from '#api/endpoint.ts';
import { StatusId } from '#features/quotes/status.ts';
import { Id } from '#shared/wire.ts';

/** The quotes of one status and currency that the person sees. */
export const QuotesInStatus = z.object({
  statusId: StatusId,
  /** 1009 for euros, else US dollars. */
  currnIdx: z.number().int(),
  count: z.number().int(),
  amount: z.number(),
});
export type QuotesInStatus = z.infer<typeof QuotesInStatus>;

export const FacilityView = {
  GetFacilityQuoteFigures: post(
    '/api/FacilityView/GetFacilityQuoteFigures',
    z.object({ facilityId: Id }),
    z.array(QuotesInStatus),
    {
      access: 'user',
      summary: 'How many quotes of a facility are in the sight of this person, and their worth, by status.',
    },
  ),
};
