// Schemas that many contracts share: decimals, dates, pages, users.
import { z } from 'zod';
import { dateProblem, parseDate } from './dates.ts';
import { LAST_PAGE } from './page-number.ts';
import './plain-words.ts';

const toPlaces = (places: number) => (value: number) => Number(value.toFixed(places));
/** Accepts rounding errors of a caller's binary arithmetic (0.1 + 0.2), but refuses an additional decimal. */
const hasPlaces = (places: number) => (value: number) =>
  Math.abs(value - toPlaces(places)(value)) <= Math.abs(value) * 1e-12;
const [toFourPlaces, fourPlaces] = [toPlaces(4), hasPlaces(4)];

/** An amount, price or percentage with at most four decimals. */
export const Decimal = z
  .number()
  .min(-9_999_999_999)
  .max(9_999_999_999)
  .refine(fourPlaces, 'At most four decimals')
  .overwrite(toFourPlaces);
/** A typed price: not negative. */
export const Price = z
  .number()
  .min(0, 'A price cannot be negative')
  .max(9_999_999_999)
  .refine(fourPlaces, 'At most four decimals')
  .overwrite(toFourPlaces);
/** A typed amount of money, which totals include unrounded: not negative, at most two decimals. */
export const Amount = z
  .number()
  .min(0, 'An amount cannot be negative')
  .max(9_999_999_999)
  .refine(hasPlaces(2), 'At most two decimals')
  .overwrite(toPlaces(2));
/** An ordered quantity: above zero, at most four decimals. */
export const Quantity = z
  .number()
  .gt(0, 'The quantity must be above 0')
  .max(9_999_999, 'The quantity is at most 9,999,999')
  .refine(fourPlaces, 'At most four decimals')
  .overwrite(toFourPlaces);
export const Percent = z
  .number()
  .min(0, 'Between 0 and 100')
  .max(100, 'Between 0 and 100')
  .refine(fourPlaces, 'At most four decimals')
  .overwrite(toFourPlaces);

/** Matches a time of day other than midnight after an ISO date. The day that the caller means would then depend on a time zone. */
const TIME_OF_DAY = /T(?!00:00(?::00(?:\.0+)?)?(?:Z|[+-]\d\d:?\d\d)?$)/;

/** A date, accepted as mm/dd/yyyy or ISO, with no time or at midnight. The output is ISO. */
export const TypedDate = z
  .string()
  .refine((text) => parseDate(text) !== null, { error: ({ input }) => dateProblem(String(input)) })
  .refine((text) => !TIME_OF_DAY.test(text.trim()), 'A day has no time: 2026-11-27 or 11/27/2026')
  .overwrite((text) => parseDate(text) ?? text);

/** Typed text: trimmed, without control characters other than line breaks and tabs. A lone surrogate is refused because it cannot be stored. */
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;
export const Text = (max: number) =>
  z
    .string()
    .max(max, `At most ${max} characters`)
    .refine((text) => text.isWellFormed(), 'A character in this text is broken. Enter it again.')
    .overwrite((text) => text.replace(CONTROL, '').trim());
export const RequiredText = (max: number) => Text(max).min(1, 'This field is required');

/** A name that appears in sentences, subjects of emails and lists: Text in one line. Line breaks become spaces. */
export const OneLine = (max: number) => Text(max).overwrite((text) => text.replace(LINE_BREAKS, ' '));
export const RequiredLine = (max: number) => RequiredText(max).overwrite((text) => text.replace(LINE_BREAKS, ' '));
const LINE_BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;

export const Id = z.number().int().min(1).max(2_147_483_647);

/** The message for a save without a version, which could overwrite a change unnoticed. */
export const SEND_VERSION = 'Send the version you read.';
/** The version of the record that the caller read. The server refuses a save over a later change of another user (design 5). */
export const Version = z
  .number({
    error: ({ input }) => (input === undefined ? SEND_VERSION : 'A version is a whole number'),
  })
  .int()
  .max(2_147_483_647);
/** Checks the input of a call that creates (id 0) or changes a record. A change must contain the version that the caller read. */
export const changesOverVersion = z.refine<{ id: number; version?: number | undefined }>(
  ({ id, version }) => id === 0 || version !== undefined,
  {
    path: ['version'],
    message: SEND_VERSION,
    // Reported even if other fields are wrong, too.
    when: ({ value }) => typeof value === 'object' && value !== null && 'id' in value,
  },
);

/** An id in a query string. */
export const QueryId = z.object({ id: z.coerce.number().int().min(1).max(2_147_483_647) });

/** A choice: id and name. The choice 'All' has a null id. */
export const Named = z.object({ id: z.number().int(), name: z.string() });
export type Named = z.infer<typeof Named>;
export const Choice = z.object({ id: z.number().int().nullable(), name: z.string() });
export type Choice = z.infer<typeof Choice>;

/** The total of open quotes, one entry per currency. */
export const Worth = z.array(z.object({ currnIdx: z.number().int(), amount: z.number() }));
export type Worth = z.infer<typeof Worth>;

export const Sort = z.object({ field: z.string().max(40), dir: z.enum(['asc', 'desc']) });
export type Sort = z.infer<typeof Sort>;

/** The input of every list (design 6). Pages start at 1. */
export const PageInput = z.object({
  page: z.number().int().min(1).max(LAST_PAGE).default(1),
  pageSize: z.number().int().min(1).max(200).default(20),
  sort: Sort.nullish(),
});

/**
 * The answer of every list. `more` means that counting stopped at `total`. `pageCount` covers the counted rows. Callers may request later pages,
 * which are empty after the end.
 */
export const pageOf = <T extends z.ZodType>(record: T) =>
  z.object({
    records: z.array(record),
    pageCount: z.number().int(),
    total: z.number().int(),
    more: z.literal(true).optional(),
  });

export const Address = z.object({
  line1: Text(200).default(''),
  line2: Text(200).default(''),
  city: Text(100).default(''),
  state: Text(40).default(''),
  zip: Text(20).default(''),
});
export type Address = z.infer<typeof Address>;

/** A day in the company's time zone that limits a list; empty or omitted means any day. */
export const FilterDay = TypedDate.or(z.literal('')).nullish();

type Days = { from?: string | null | undefined; to?: string | null | undefined };
/** For `refine`: the last of two days must not be before the first. */
export const DAYS_IN_ORDER = [
  ({ from, to }: Days) => !from || !to || from <= to,
  { message: 'The last day is before the first', path: ['to'] },
] satisfies [(days: Days) => boolean, { message: string; path: string[] }];
