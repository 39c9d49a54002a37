// The format of every conflict of two users on one record: who changed what, and the current record.
import { z } from 'zod';

export const FieldChange = z.object({ field: z.string(), before: z.string(), after: z.string() });
/** A changed field, with its name and values in words. */
export type FieldChange = z.infer<typeof FieldChange>;

/** The answer (409) to a save or a step after another user changed the record first. */
export const Conflict = z.object({
  /** Null if it is not known. */
  changedBy: z.string().nullable(),
  changedAt: z.string().nullable(),
  /** What that user changed. */
  changes: z.array(FieldChange),
  /** The current record as this reader may see it, or only status and version for a step. Null if the record is gone. */
  current: z.record(z.string(), z.unknown()).nullable(),
});
export type Conflict = z.infer<typeof Conflict>;

/** A record as the server returned it. */
export type Stored = Record<string, unknown>;

/** Returns the conflict of a failed save, if there is a record to compare with. */
export function conflictOf(error: unknown): (Conflict & { current: Stored }) | null {
  const { status, conflict } = (error ?? {}) as { status?: number; conflict?: Conflict };
  return status === 409 && conflict?.current ? { ...conflict, current: conflict.current } : null;
}
