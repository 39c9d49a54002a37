// Defines the call that finds ZIPs for a plan: typed ones, those of a state, those of a territory.
import { z } from 'zod';
import { post } from '#platform/api/endpoint.ts';
import { Id, Named, Text, TypedDate } from '#platform/shared/wire.ts';

const FoundZip = z.object({
  zip: z.string(),
  city: z.string(),
  state: z.string(),
  county: z.string(),
  /** The territory that has the ZIP on the day. Null for none. */
  territory: Named.nullable(),
});
export type FoundZip = z.infer<typeof FoundZip>;

const Search = z
  .object({
    /** Typed or pasted ZIPs, separated by spaces, commas or line breaks. ZIP+4 is read as its first five digits. */
    text: Text(500_000).nullish(),
    state: z
      .string()
      .regex(/^[A-Z]{2}$/, 'A state has two letters')
      .nullish(),
    /** Finds all ZIPs of this territory on the day. */
    territoryId: Id.nullish(),
    date: TypedDate,
  })
  .refine(({ text, state, territoryId }) => [text, state, territoryId].filter(Boolean).length === 1, {
    message: 'Enter ZIPs, a state or a territory.',
    path: ['text'],
  });

export const PlanZips = {
  findZipsToPlan: post(
    '/api/TazApi/findZipsToPlan',
    Search,
    z.object({
      /** In order of ZIP. */
      zips: z.array(FoundZip),
      /** Five digits, but not an existing ZIP. */
      unknown: z.array(z.string()),
      /** Typed text that is not a ZIP. */
      bad: z.array(z.string()),
    }),
    {
      access: ['systemadmin', 'salesadmin', 'salessupport', 'salesQuoteManager'],
      bodyLimit: 1024 * 1024,
      summary: 'The entered ZIPs, or those of a state or territory, each with its territory on a day.',
    },
  ),
};
