// The state of a form over one saved record: typed values, errors by field, the save, and somebody else's save meanwhile.
import { useBlocker } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import type { z } from 'zod';
import { useUnsaved } from './unsaved.web.ts';

type SaveError = Error & {
  status?: number;
  errors?: { path: string; message: string }[] | undefined;
  conflict?: unknown;
};
type Conflict = { changedBy: string; changedAt: string | null; current: Record<string, unknown> };

export type RecordFormState<T> = {
  values: T;
  set: (patch: Partial<T>) => void;
  /** Messages under fields: by the field's path, `name` or `reps.0.userId`. */
  errors: Record<string, string>;
  dirty: boolean;
  busy: boolean;
  /** A failure that is neither a field error nor a conflict. */
  error: Error | null;
  submit: () => void;
  /** Fields that both people changed differently, until this person has chosen. */
  conflict: (Conflict & { fields: (keyof T & string)[] }) | null;
  keepMine: () => void;
  takeTheirs: () => void;
  /** Leaving with unsaved changes asks first. */
  leaving: { stay: () => void; discard: () => void } | null;
};

type Options<T, R> = {
  /** The record as read, with its version; a new one with its defaults. */
  record: T;
  /** The call's schema: errors appear under the fields before anything is sent. */
  schema: z.ZodType;
  save: (values: T) => Promise<R>;
  onSaved: (saved: R) => void;
};

export function useRecordForm<T extends object, R>({
  record,
  schema,
  save,
  onSaved,
}: Options<T, R>): RecordFormState<T> {
  const [base, setBase] = useState(record);
  const [values, setValues] = useState(record);
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<SaveError | null>(null);
  const saved = useRef(false);

  const dirty = changedFields(base, values).length > 0;
  useUnsaved(dirty);
  const leaving = useBlocker({
    // A list or a tab on the same page may change the address; the form stays.
    shouldBlockFn: ({ current, next }) => dirty && !saved.current && current.pathname !== next.pathname,
    enableBeforeUnload: false,
    withResolver: true,
  });

  const send = async (given: T, from: T, again: boolean): Promise<void> => {
    setBusy(true);
    setFailure(null);
    try {
      const answer = await save(given);
      saved.current = true;
      onSaved(answer);
      setBase(given);
      saved.current = false;
    } catch (error) {
      const conflict = conflictOf(error);
      if (conflict && again && overlap(from, given, conflict.current).length === 0) {
        // They changed different fields, so both changes stand.
        const merged = laidOver(conflict.current as T, from, given);
        setBase(conflict.current as T);
        setValues(merged);
        await send(merged, conflict.current as T, false);
        return;
      }
      setFailure(error as SaveError);
    } finally {
      setBusy(false);
    }
  };

  const own = tried ? ownErrors(schema, values) : {};
  const theirs = Object.fromEntries((failure?.errors ?? []).map(({ path, message }) => [path, message]));
  const conflict = conflictOf(failure);
  const choose = (chosen: T) => {
    if (!conflict) return;
    setBase(conflict.current as T);
    setValues(chosen);
    setFailure(null);
  };
  return {
    values,
    set: (patch) => {
      setValues((now) => ({ ...now, ...patch }));
      // A server error stays until its field changes.
      setFailure((now) =>
        now?.errors && !now.errors.some(({ path }) => !((path.split('.')[0] ?? '') in patch)) ? null : now,
      );
    },
    errors: { ...theirs, ...own },
    dirty,
    busy,
    error: failure && !conflict && Object.keys(theirs).length === 0 ? failure : null,
    submit: () => {
      setTried(true);
      if (busy || conflict) return;
      if (Object.keys(ownErrors(schema, values)).length === 0) void send(values, base, true);
    },
    conflict: conflict ? { ...conflict, fields: overlap(base, values, conflict.current) } : null,
    keepMine: () => {
      if (!conflict) return;
      const mine = laidOver(conflict.current as T, base, values);
      choose(mine);
      void send(mine, conflict.current as T, true);
    },
    takeTheirs: () => conflict && choose({ ...laidOver(conflict.current as T, base, values), ...picked(conflict) }),
    leaving: leaving.status === 'blocked' ? { stay: () => leaving.reset(), discard: () => leaving.proceed() } : null,
  };

  /** The other person's values of the fields that both changed. */
  function picked({ current }: Conflict): Partial<T> {
    const fields = overlap(base, values, current);
    return Object.fromEntries(fields.map((field) => [field, current[field]])) as Partial<T>;
  }
}

function ownErrors(schema: z.ZodType, values: object): Record<string, string> {
  const result = schema.safeParse(values);
  if (result.success) return {};
  // The first message of a field wins.
  return Object.fromEntries(result.error.issues.toReversed().map(({ path, message }) => [path.join('.'), message]));
}

function conflictOf(error: unknown): Conflict | null {
  const { status, conflict } = (error ?? {}) as SaveError;
  const given = (conflict ?? {}) as Partial<Conflict>;
  return status === 409 && given.current ? (given as Conflict) : null;
}

const same = (one: unknown, other: unknown) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

function changedFields<T extends object>(before: T, after: T): (keyof T & string)[] {
  const names = Object.keys(after) as (keyof T & string)[];
  return names.filter((name) => !same(before[name], after[name]));
}

/** Fields that both sides changed, to different values. */
function overlap<T extends object>(base: T, mine: T, current: Record<string, unknown>): (keyof T & string)[] {
  return changedFields(base, mine).filter(
    (name) => name in current && !same(base[name], current[name]) && !same(mine[name], current[name]),
  );
}

/** The record as it is now, with what this person changed. */
function laidOver<T extends object>(current: T, base: T, mine: T): T {
  const changed = changedFields(base, mine).map((name) => [name, mine[name]]);
  return { ...mine, ...current, ...(Object.fromEntries(changed) as Partial<T>) };
}
