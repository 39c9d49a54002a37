import { z } from 'zod';
import { post } from '#platform/api/endpoint.ts';
import { Id } from '#platform/shared/wire.ts';

export const LineCount = {
  CountLines: post(
    '/api/LineCount/CountLines',
    z.object({ quoteId: Id }),
    z.object({ lines: z.number().int(), pieces: z.number() }),
    { access: 'user', summary: 'How many lines a quote has, and how many pieces they add up to.' },
  ),
};
