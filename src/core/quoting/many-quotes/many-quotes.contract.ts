// The calls that take one step with many quotes, each on its own (our own calls; docs/decisions/0018).
import { z } from 'zod';
import { post } from '#platform/api/endpoint.ts';
import { QUOTING_ROLES } from '#platform/shared/roles.ts';
import { Id, RequiredText, TypedDate, Version } from '#platform/shared/wire.ts';

/** The most quotes of one call. A screen sends more in pieces, so that it can show how far it is, and stop. */
export const PIECE = 25;
/** The most quotes that a screen takes a step with. */
export const MOST_QUOTES = 500;

const Reps = z.object({
  salesRepId: Id.nullish(),
  csRepId: Id.nullish(),
  isRepId: Id.nullish(),
});

/** What to do with each quote. `assign` changes the representatives that it names; null: nobody. */
export const QuoteChange = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('assign'), ...Reps.shape }),
  z.object({ kind: z.literal('extend'), validUntil: TypedDate }),
  z.object({ kind: z.literal('cancel'), reason: RequiredText(2000) }),
]);
export type QuoteChange = z.infer<typeof QuoteChange>;

/** What a quote had before, for PutQuotesBack. */
export const Was = Reps.extend({ validUntil: TypedDate.optional() });
export type Was = z.infer<typeof Was>;

/** What became of one quote. */
export const Outcome = z.object({
  id: z.number().int(),
  /** The step was taken; with `check`, it can be. */
  done: z.boolean(),
  /** The version after the step, for the next one; null when the step was not taken. */
  version: z.number().int().nullable(),
  /** Why the step was not taken, in the words of the single step; else what is worth knowing about it. */
  message: z.string(),
  /** What the step changed, as it was before. Null when there is nothing to put back. */
  was: z
    .object({
      salesRepId: z.number().int().nullable().optional(),
      csRepId: z.number().int().nullable().optional(),
      isRepId: z.number().int().nullable().optional(),
      validUntil: z.string().optional(),
    })
    .nullable(),
});
export type Outcome = z.infer<typeof Outcome>;

const Read = z.object({ id: Id, version: Version });
/** The number of quotes in the step over all calls. Many of them make one notification. */
const InAll = z.number().int().min(1).max(MOST_QUOTES).optional();
const Outcomes = z.object({ outcomes: z.array(Outcome) });

export const ManyQuotes = {
  ChangeQuotes: post(
    '/api/ManyQuotes/ChangeQuotes',
    z.object({
      change: QuoteChange,
      quotes: z.array(Read).min(1).max(PIECE),
      inAll: InAll,
      /** Only says what would become of each. */
      check: z.boolean().default(false),
    }),
    Outcomes,
    {
      access: QUOTING_ROLES,
      changes: true,
      answersOf: 'QuoteEdit',
      summary: 'Assigns, extends or cancels quotes, each in its own transaction. Returns the outcome of each.',
    },
  ),
  PutQuotesBack: post(
    '/api/ManyQuotes/PutQuotesBack',
    z.object({
      quotes: z
        .array(Read.extend({ was: Was }))
        .min(1)
        .max(PIECE),
      inAll: InAll,
    }),
    Outcomes,
    {
      access: QUOTING_ROLES,
      changes: true,
      answersOf: 'QuoteEdit',
      summary: 'Restores the previous representatives and validity, unless the quote has changed since.',
    },
  ),
};
