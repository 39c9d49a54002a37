// Lists which states' areas are approximate or imported, and returns states to the approximate ones (our own calls).
import { z } from 'zod';
import { Nothing, post } from '#api/endpoint.ts';
import type { Role } from '#shared/roles.ts';
import { SEND_VERSION } from '#shared/wire.ts';

const ADMINS: readonly Role[] = ['systemadmin', 'salesadmin'];

export const AreaStates = z.object({
  /** The version of the areas that the map shows. */
  version: z.string(),
  states: z.array(
    z.object({
      state: z.string(),
      areas: z.number().int(),
      /** How many areas came from a file; the others are approximate. */
      imported: z.number().int(),
      /** The file that the areas came from; '' for approximate ones. */
      file: z.string(),
      by: z.string(),
      at: z.string().nullable(),
    }),
  ),
});
export type AreaStates = z.infer<typeof AreaStates>;

export const AreaImport = {
  GetAreaStates: post('/api/AreaImport/GetAreaStates', Nothing, AreaStates, {
    access: ADMINS,
    summary: 'Which areas the map shows of each state, and where they come from.',
  }),
  UseBuiltInAreas: post(
    '/api/AreaImport/UseBuiltInAreas',
    z.object({
      version: z.string({ error: SEND_VERSION }).max(100),
      states: z
        .array(z.string().regex(/^[A-Z]{2}$/, 'A state has two letters'))
        .min(1, 'Choose a state')
        .max(60),
    }),
    AreaStates,
    {
      access: ADMINS,
      writes: true,
      summary: 'Shows the approximate areas of some states again. Imported ones stay for the saved maps drawn on them.',
    },
  ),
};
