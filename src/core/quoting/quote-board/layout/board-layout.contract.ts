// A user's layout of the board: the columns and the height of the lines, and whether the right side is visible.
import { z } from 'zod';
import { Nothing, post } from '#platform/api/endpoint.ts';
import { Text } from '#platform/shared/wire.ts';

const ColumnLayout = z.object({
  /** The name of the column. The server ignores names that this version does not know. */
  key: Text(30),
  hidden: z.boolean(),
  /** In pixels. Null for the default width. */
  width: z.number().int().min(20).max(2_000).nullable(),
});
export type ColumnLayout = z.output<typeof ColumnLayout>;

export const BoardLayout = z.object({
  /** In display order. Empty for the default columns. */
  columns: z.array(ColumnLayout).max(40).default([]),
  /** `dense` means lower rows. */
  density: z.enum(['normal', 'dense']).default('normal'),
  /** `auto` folds the right side when the lines need its space. */
  rail: z.enum(['auto', 'shown', 'hidden']).default('auto'),
});
export type BoardLayout = z.output<typeof BoardLayout>;

export const QuoteBoard = {
  GetBoardLayout: post('/api/QuoteBoard/GetBoardLayout', Nothing, BoardLayout, {
    access: 'user',
    summary: 'The user’s last layout of the quote board.',
  }),
  RememberBoardLayout: post('/api/QuoteBoard/RememberBoardLayout', BoardLayout, Nothing, {
    access: 'user',
    summary: 'Saves the layout for the user.',
  }),
};
