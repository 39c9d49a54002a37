// The schemas that every saved record has: what its form reads, what a save sends.
import { z } from 'zod';
import { Id, Version } from './wire.ts';

/** A saved record as lists and forms read it; a new one has id 0. */
export const recordOf = <F extends z.ZodRawShape>(fields: F) =>
  z.object({ id: z.number().int(), ...fields, version: z.number().int() });

/** What a save sends: id 0 adds a record. Check it with `changesOverVersion`. */
export const saveOf = <F extends z.ZodRawShape>(fields: F) =>
  z.object({ id: Id.or(z.literal(0)).default(0), ...fields, version: Version.optional() });

/** The query of a form; without an id it asks for a new record. */
export const FormQuery = z.object({ id: z.coerce.number().int().min(0).max(2_147_483_647).optional() });

/** The fields of a record that people see, each with its name on forms and in the history. */
export type LabelsOf<R> = Record<Exclude<keyof R & string, 'id' | 'version'>, string>;
