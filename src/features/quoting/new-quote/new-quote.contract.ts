// What the new-quote screen shows beside its form about the chosen facility (our own call).
import { z } from 'zod';
import { post } from '#api/endpoint.ts';
import { QuoteRow } from '#features/quoting/quotes/quotes.contract.ts';
import { Id } from '#shared/wire.ts';

const BoughtItem = z.object({
  itemId: z.number().int(),
  itemNumber: z.string(),
  description: z.string(),
  /** On how many of the won quotes. */
  quotes: z.number().int(),
  /** Of the newest won quote with it. */
  qty: z.number(),
  unit: z.string(),
  quoteDate: z.string(),
});
export type BoughtItem = z.infer<typeof BoughtItem>;

export const FacilityGlance = z.object({
  /** The contracts whose prices count for the facility today; null when the person may not see them. */
  contracts: z
    .array(
      z.object({
        id: z.number().int(),
        number: z.string(),
        /** Null means a local agreement. */
        gpoName: z.string().nullable(),
        tierNo: z.number().int().nullable(),
        tierName: z.string(),
        to: z.string(),
      }),
    )
    .nullable(),
  /** The newest won and lost quotes in this person's sight. */
  decided: z.array(QuoteRow),
  /** What it bought most often on the newest won quotes in this person's sight. */
  bought: z.array(BoughtItem),
});
export type FacilityGlance = z.infer<typeof FacilityGlance>;

export const NewQuote = {
  GetFacilityGlance: post('/api/NewQuote/GetFacilityGlance', z.object({ facilityId: Id }), FacilityGlance, {
    access: 'user',
    summary: 'Contracts, decided quotes and bought items of a facility, as far as this person may see them.',
  }),
};
