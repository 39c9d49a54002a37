// Defines our own calls that return the source file of the map's areas and restore the built-in ones.
import { z } from 'zod';
import { Nothing, post } from '#platform/api/endpoint.ts';
import type { Role } from '#platform/shared/roles.ts';
import { SEND_VERSION } from '#platform/shared/wire.ts';

const ADMINS: readonly Role[] = ['systemadmin', 'salesadmin'];

export const ImportedAreas = z.object({
  /** Changes whenever the areas change. */
  version: z.string(),
  /** Null while the map shows the built-in areas, which are approximate. */
  imported: z
    .object({
      file: z.string(),
      by: z.string(),
      at: z.string().nullable(),
      /** The states of the file, in order of name. Other states have the built-in areas. */
      states: z.array(z.object({ state: z.string(), areas: z.number().int() })),
    })
    .nullable(),
});
export type ImportedAreas = z.infer<typeof ImportedAreas>;

export const AreaImport = {
  GetImportedAreas: post('/api/AreaImport/GetImportedAreas', Nothing, ImportedAreas, {
    access: ADMINS,
    summary: 'The imported file whose areas the map shows, with its states.',
  }),
  UseBuiltInAreas: post(
    '/api/AreaImport/UseBuiltInAreas',
    z.object({ version: z.string({ error: SEND_VERSION }).max(100) }),
    ImportedAreas,
    {
      access: ADMINS,
      writes: true,
      summary: 'Shows the built-in areas again and removes the imported ones.',
    },
  ),
};
