// The facts about the chosen facility that the new-quote screen shows beside its form (our own call).
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
  /** The number of won quotes that include the item. */
  quotes: z.number().int(),
  /** The values in the newest won quote with the item. */
  qty: z.number(),
  unit: z.string(),
  quoteDate: z.string(),
});
export type BoughtItem = z.infer<typeof BoughtItem>;

export const FacilityGlance = z.object({
  /** The contracts whose prices apply to the facility today. Null when the user may not see them. */
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
  /** The newest won and lost quotes that this user can see. */
  decided: z.array(QuoteRow),
  /** The items that it bought most often, in the newest won quotes that this user can see. */
  bought: z.array(BoughtItem),
});
export type FacilityGlance = z.infer<typeof FacilityGlance>;

/** Identifies the facility of a mail by the sender's address. */
export const Sender = z.object({
  /** The only matching facility that the user can see. Null when none or several match. */
  facility: FacilityHit.nullable(),
  /** Several matching facilities, for the user to choose from. */
  proposals: z.array(FacilityHit),
  /** The contact with this address at `facility`. */
  contact: Contact.pick({ name: true, email: true, phone: true }).nullable(),
  /** What matches: the address of a contact, the domain, or nothing. */
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
