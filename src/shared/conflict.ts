// The one conflict of two people on one record: who changed what, and the record as it is now.
import { z } from 'zod';

export const FieldChange = z.object({ field: z.string(), before: z.string(), after: z.string() });
/** A changed field, its name and values in words. */
export type FieldChange = z.infer<typeof FieldChange>;

/** What blocks a save or a step (409) because somebody else was there first. */
export const Conflict = z.object({
  /** Null: nobody knows. */
  changedBy: z.string().nullable(),
  changedAt: z.string().nullable(),
  /** What that person changed. */
  changes: z.array(FieldChange),
  /** The record as it is now, for this reader; of a step only status and version. Null: it is gone. */
  current: z.record(z.string(), z.unknown()).nullable(),
});
export type Conflict = z.infer<typeof Conflict>;

/** A record as the server has it. */
export type Stored = Record<string, unknown>;

/** The conflict of a save that failed, when there is a record to compare with. */
export function conflictOf(error: unknown): (Conflict & { current: Stored }) | null {
  const { status, conflict } = (error ?? {}) as { status?: number; conflict?: Conflict };
  return status === 409 && conflict?.current ? { ...conflict, current: conflict.current } : null;
}
