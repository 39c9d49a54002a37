// The API calls that apply one step to many quotes, to each quote separately (our own calls; docs/decisions/0018).
import { z } from 'zod';
import { post } from '#platform/api/endpoint.ts';
import { QUOTING_ROLES } from '#platform/shared/roles.ts';
import { Id, RequiredText, TypedDate, Version } from '#platform/shared/wire.ts';

/** The maximum number of quotes in one call. A screen sends more in batches, so that it can show its progress and stop. */
export const PIECE = 25;
/** The maximum number of quotes to which a screen applies a step. */
export const MAX_QUOTES = 500;

const Reps = z.object({
  salesRepId: Id.nullish(),
  csRepId: Id.nullish(),
  isRepId: Id.nullish(),
});

/** What to do with each quote. `assign` changes the representatives that it names. Null removes a representative. */
export const QuoteChange = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('assign'), ...Reps.shape }),
  z.object({ kind: z.literal('extend'), validUntil: TypedDate }),
  z.object({ kind: z.literal('cancel'), reason: RequiredText(2000) }),
]);
export type QuoteChange = z.infer<typeof QuoteChange>;

/** The earlier values of a quote, for PutQuotesBack. */
export const Was = Reps.extend({ validUntil: TypedDate.optional() });
export type Was = z.infer<typeof Was>;

/** The outcome for one quote. */
export const Outcome = z.object({
  id: z.number().int(),
  /** Whether the step was applied, or with `check`, whether it can be. */
  done: z.boolean(),
  /** The version after the step, for the next step. Null when the step was not applied. */
  version: z.number().int().nullable(),
  /** Why the step was not applied, in the words of the single-quote step. Otherwise a remark about the result. */
  message: z.string(),
  /** The earlier values of what the step changed. Null when there is nothing to undo. */
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
/** The number of quotes in the step over all calls. A step with several quotes sends one combined notification. */
const InAll = z.number().int().min(1).max(MAX_QUOTES).optional();
const Outcomes = z.object({ outcomes: z.array(Outcome) });

export const ManyQuotes = {
  ChangeQuotes: post(
    '/api/ManyQuotes/ChangeQuotes',
    z.object({
      change: QuoteChange,
      quotes: z.array(Read).min(1).max(PIECE),
      inAll: InAll,
      /** Only checks what the step would do with each quote. */
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
