// Which ZIPs a plan may move: those that are typed, those of a state, those of a territory.
import { z } from 'zod';
import { post } from '#api/endpoint.ts';
import { Id, Named, Text, TypedDate } from '#shared/wire.ts';

const FoundZip = z.object({
  zip: z.string(),
  city: z.string(),
  state: z.string(),
  county: z.string(),
  /** Who has it on the day; null: no territory. */
  territory: Named.nullable(),
});
export type FoundZip = z.infer<typeof FoundZip>;

const Search = z
  .object({
    /** As typed or pasted: ZIPs between spaces, commas or line breaks; ZIP+4 counts as its first five digits. */
    text: Text(500_000).nullish(),
    state: z
      .string()
      .regex(/^[A-Z]{2}$/, 'A state has two letters')
      .nullish(),
    /** All that it has on the day. */
    territoryId: Id.nullish(),
    date: TypedDate,
  })
  .refine(({ text, state, territoryId }) => [text, state, territoryId].filter(Boolean).length === 1, {
    message: 'Give ZIPs, a state or a territory.',
    path: ['text'],
  });

export const PlanZips = {
  findZipsToPlan: post(
    '/api/TazApi/findZipsToPlan',
    Search,
    z.object({
      /** In order of ZIP. */
      zips: z.array(FoundZip),
      /** Five digits, but no ZIP that there is. */
      unknown: z.array(z.string()),
      /** No ZIPs at all, as typed. */
      bad: z.array(z.string()),
    }),
    {
      access: ['systemadmin', 'salesadmin', 'salessupport', 'salesQuoteManager'],
      bodyLimit: 1024 * 1024,
      summary: 'The ZIPs that are typed, of a state or of a territory, with who has each on a day.',
    },
  ),
};
