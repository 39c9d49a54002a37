// What the new-quote screen shows beside its form about the chosen facility (our own call).
import { z } from 'zod';
import { post } from '#platform/api/endpoint.ts';
import { Contact, FacilityHit } from '#core/customers/facilities/facilities.contract.ts';
import { QuoteRow } from '#core/quoting/quotes/quotes.contract.ts';
import { QUOTING_ROLES } from '#platform/shared/roles.ts';
import { Id } from '#platform/shared/wire.ts';

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

/** Whose a mail is, by the address of its sender. */
export const Sender = z.object({
  /** The only facility in sight that fits; null when none or several do. */
  facility: FacilityHit.nullable(),
  /** Several that fit, for a person to choose from. */
  proposals: z.array(FacilityHit),
  /** The contact with this address at `facility`. */
  contact: Contact.pick({ name: true, email: true, phone: true }).nullable(),
  /** What fits: the address of a contact, the part after its @, or nothing. */
  by: z.enum(['address', 'domain', 'nothing']),
});
export type Sender = z.infer<typeof Sender>;

export const NewQuote = {
  FindSender: post('/api/NewQuote/FindSender', z.object({ email: z.string().trim().max(320) }), Sender, {
    access: QUOTING_ROLES,
    summary: 'The facility of an email’s sender, among those the user can see. Nothing is stored.',
  }),
  GetFacilityGlance: post('/api/NewQuote/GetFacilityGlance', z.object({ facilityId: Id }), FacilityGlance, {
    access: 'user',
    summary: 'Contracts, won and lost quotes and purchased items of a facility that the user can see.',
  }),
};
