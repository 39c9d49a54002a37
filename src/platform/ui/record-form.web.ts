// The state of a form for one saved record: typed values, errors by field, the save, and a conflict with another user's save.
import { useRef, useState } from 'react';
import type { z } from 'zod';
import { type Conflict, conflictOf, type Stored } from '#platform/shared/conflict.ts';
import { clashes, patchBetween, seen } from '#platform/shared/merge.ts';
import { useUnsaved } from './unsaved.web.ts';

type SaveError = Error & { errors?: { path: string; message: string }[] | undefined };

export type RecordFormState<T> = {
  values: T;
  set: (patch: Partial<T>) => void;
  /** Messages under fields, by the field's path: `name` or `reps.0.userId`. */
  errors: Record<string, string>;
  dirty: boolean;
  busy: boolean;
  /** A failure that is neither a field error nor a conflict. */
  error: Error | null;
  submit: () => void;
  /** Fields that both users changed differently, until this user has chosen. */
  conflict: (Omit<Conflict, 'current'> & { current: T; fields: (keyof T & string)[] }) | null;
  keepMine: () => void;
  takeTheirs: () => void;
};

type Options<T, R> = {
  /** The record with the version that was read, or a new record with its defaults. */
  record: T;
  /** The schema of the call. Its errors appear under the fields before anything is sent. */
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

  const dirty = Object.keys(patchBetween(base, values)).length > 0;
  // A record that was read again replaces the one in the form. Typed input is kept, and the save then offers both values.
  if (!dirty && !busy && versionOf(record) > versionOf(base)) {
    setBase(record);
    setValues(record);
  }
  // A list or a tab on the same page may change the address without leaving the form.
  useUnsaved(dirty, undefined, (isOtherScreen) => isOtherScreen && !saved.current);

  const choose = ({ current }: { current: T }, chosen: T) => {
    setBase(current);
    setValues(chosen);
    setFailure(null);
  };
  const send = async (input: T, from: T, again: boolean): Promise<void> => {
    setBusy(true);
    setFailure(null);
    try {
      const answer = await save(input);
      saved.current = true;
      onSaved(answer);
      setBase(input);
      saved.current = false;
    } catch (error) {
      const conflict = meeting(error, from, input);
      if (conflict && again && conflict.fields.length === 0) {
        // The two users changed different fields, so both changes are kept.
        choose(conflict, conflict.mine);
        await send(conflict.mine, conflict.current, false);
        return;
      }
      setFailure(error as SaveError);
    } finally {
      setBusy(false);
    }
  };

  const own = tried ? ownErrors(schema, values) : {};
  const theirs = Object.fromEntries((failure?.errors ?? []).map(({ path, message }) => [path, message]));
  const conflict = meeting(failure, base, values);
  return {
    values,
    set: (patch) => {
      setValues((now) => ({ ...now, ...patch }));
      // An error of the server is shown until its field changes.
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
    conflict,
    keepMine: () => {
      if (!conflict) return;
      choose(conflict, conflict.mine);
      void send(conflict.mine, conflict.current, true);
    },
    takeTheirs: () => conflict && choose(conflict, conflict.theirs),
  };
}

function versionOf(record: object): number {
  return 'version' in record && typeof record.version === 'number' ? record.version : 0;
}

function ownErrors(schema: z.ZodType, values: object): Record<string, string> {
  const result = schema.safeParse(values);
  if (result.success) return {};
  // Later entries win, so the reversed order keeps the first message of a field.
  return Object.fromEntries(result.error.issues.toReversed().map(({ path, message }) => [path.join('.'), message]));
}

/** Returns the conflict of a save over `base`, with the result of either choice. Changes to fields that only one user changed are kept. */
function meeting<T extends object>(error: unknown, base: T, values: T) {
  const conflict = conflictOf(error);
  if (!conflict) return null;
  // The answer lacks fields that only the form adds to the record.
  const current: T = { ...base, ...conflict.current };
  const patch = patchBetween(base, values);
  const fields = clashes({ patch, base: seen(patch, base as Stored) }, current as Stored) as (keyof T & string)[];
  const own = Object.entries(patch).filter(([field]) => !fields.some((candidate) => candidate === field));
  const theirs: T = { ...current, ...(Object.fromEntries(own) as Partial<T>) };
  return { ...conflict, current, fields, mine: { ...current, ...patch }, theirs };
}
