// Limits what a write-only API key sees: ids, versions, and the values that it sent itself.
import type { Conflict } from '#platform/shared/conflict.ts';
import { HttpError } from './http-error.ts';

type Fields = Record<string, unknown>;
const isRecord = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** The fields that identify a record and its state. A program needs no others to change the record again. */
const HANDLES: readonly string[] = ['id', 'version'];

/** Returns the part of an input that the caller sent, without defaults of the schema and without unknown fields. */
export function sentPart(sent: unknown, parsed: unknown): unknown {
  if (!isRecord(sent) || !isRecord(parsed)) return parsed;
  if (Array.isArray(parsed))
    return parsed.map((entry, index) => sentPart((sent as unknown as unknown[])[index], entry));
  const names = Object.keys(parsed).filter((name) => Object.hasOwn(sent, name));
  return Object.fromEntries(names.map((name) => [name, sentPart(sent[name], parsed[name])]));
}

/**
 * Returns the part of an answer that reveals nothing to a caller: ids and versions of records, and each value that the caller sent in the same place.
 * A list entry matches the sent entry with the same id.
 */
export function ownPart(answer: unknown, sent: unknown): unknown {
  return shownPart(answer, sent, true) ?? (Array.isArray(answer) ? [] : isRecord(answer) ? {} : null);
}

function shownPart(answer: unknown, sent: unknown, isTop: boolean): unknown {
  if (!isRecord(answer)) return !isTop && sent !== undefined && answer === sent ? answer : undefined;
  if (Array.isArray(answer)) return shownPartOfList(answer, sent);
  const hasHandles = isTop || Object.hasOwn(answer, 'version');
  const entries = Object.entries(answer).flatMap(([name, value]): [string, unknown][] => {
    if (hasHandles && HANDLES.includes(name) && !isRecord(value)) return [[name, value]];
    const part = shownPart(value, isRecord(sent) && Object.hasOwn(sent, name) ? sent[name] : undefined, false);
    return part === undefined ? [] : [[name, part]];
  });
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

function shownPartOfList(answer: readonly unknown[], sent: unknown): unknown {
  const sentEntries: readonly unknown[] = Array.isArray(sent) ? sent : [];
  // A list of names or ids is returned only if the caller sent exactly that list.
  if (!answer.some(isRecord)) return Array.isArray(sent) && areSame(answer, sentEntries) ? answer : undefined;
  const parts = answer.flatMap((entry) => {
    const id = isRecord(entry) ? entry['id'] : undefined;
    const same = sentEntries.find((sentEntry) => isRecord(sentEntry) && id !== undefined && sentEntry['id'] === id);
    const part = isRecord(entry) ? shownPart(entry, same, false) : undefined;
    return part === undefined ? [] : [part];
  });
  return parts.length > 0 ? parts : undefined;
}

const areSame = (values: readonly unknown[], other: readonly unknown[]): boolean =>
  values.length === other.length && values.every((value, index) => value === other[index]);

const CHANGED =
  'It was changed in the meantime, or its state does not allow this. A key with the read scope gets more details.';
const SHOWN_TO_READERS = 'The reason contains stored data, which only a key with the read scope can see.';
/** An amount of money or a percentage. A reason that contains one reveals a price, a total or a margin, or a multiple of it. */
const FIGURE = /[$€] ?\d|\d ?%/;
const reasonFor = (text: string): string => (FIGURE.test(text) ? SHOWN_TO_READERS : text);

/** Removes stored values from a refusal: a conflict keeps only the id and the version, and no reason contains an amount. */
export function withoutRecord(error: HttpError): HttpError {
  const { conflict, errors } = error;
  const reasons = [error.message, ...(errors ?? []).map(({ message }) => message)];
  if (!conflict && !reasons.some((reason) => FIGURE.test(reason))) return error;
  return new HttpError(error.status, conflict ? CHANGED : reasonFor(error.message), {
    ...(errors ? { errors: errors.map((entry) => ({ ...entry, message: reasonFor(entry.message) })) } : {}),
    ...(conflict ? { conflict: handlesOf(conflict) } : {}),
  });
}

function handlesOf({ current }: Conflict): Conflict {
  const handles =
    current && Object.entries(current).filter(([name, value]) => HANDLES.includes(name) && !isRecord(value));
  return { changedBy: null, changedAt: null, changes: [], current: handles && Object.fromEntries(handles) };
}
