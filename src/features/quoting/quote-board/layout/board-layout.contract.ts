// How a person wants the board: the columns of the lines, and whether the right side is shown.
import { z } from 'zod';
import { Nothing, post } from '#api/endpoint.ts';
import { Text } from '#shared/wire.ts';

const ColumnLayout = z.object({
  /** A name that this version does not know is ignored. */
  key: Text(30),
  hidden: z.boolean(),
  /** In pixels; null: as wide as it is at first. */
  width: z.number().int().min(20).max(2_000).nullable(),
});
export type ColumnLayout = z.output<typeof ColumnLayout>;

export const BoardLayout = z.object({
  /** In their order; empty: as at first. */
  columns: z.array(ColumnLayout).max(40).default([]),
  railHidden: z.boolean().default(false),
});
export type BoardLayout = z.output<typeof BoardLayout>;

export const QuoteBoard = {
  GetBoardLayout: post('/api/QuoteBoard/GetBoardLayout', Nothing, BoardLayout, {
    access: 'user',
    summary: 'How this person last arranged the board of quotes.',
  }),
  RememberBoardLayout: post('/api/QuoteBoard/RememberBoardLayout', BoardLayout, Nothing, {
    access: 'user',
    summary: 'Remembers it for the person, as the last search is.',
  }),
};
