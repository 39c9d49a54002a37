// Logs security events separately from the request that causes them: requests do not wait for it, a rolled back call is still logged, and a flood is
// counted.
import { sql } from 'kysely';
import type { Origin, Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { MANY, type SecurityAction, type SecurityKind } from './security-kinds.ts';

/** Who caused it, as far as known. `who` and `account` never contain text that was typed by mistake (see `typedName`). */
export type Suspect = {
  userId?: number | null;
  keyId?: number | null;
  /** The name of the user, with that of the key. */
  who: string;
  account?: string;
  from: Origin | undefined;
};
export type SecurityNote = Suspect & { kind: SecurityKind; action: SecurityAction; call?: string };

/** The failures that /metrics counts. Every kind is present from the start, so that an alarm notices the first one. */
export const FAILURES = ['sign_in_failed', 'locked_out', 'refused', 'key_refused'] as const;
type Failure = (typeof FAILURES)[number];

type Line = {
  note: SecurityNote;
  at: Date;
  lastAt: Date;
  times: number;
  calls: Set<string>;
  /** Null until the line is written. */
  id: string | null;
};

type Log = {
  minute: number;
  /** The lines of this minute by actor and action, and the number of lines of each kind. */
  lines: Map<string, Line>;
  perKind: Map<SecurityKind, number>;
  /** The lines to write. A line is written again if its count rises during the write. */
  pending: Set<Line>;
  writing: Promise<void> | null;
  retry?: NodeJS.Timeout;
  counts: Record<Failure, number>;
  lost: number;
};

/** The number of lines that each kind gets within a minute. Further callers share one line, so that a flood of one kind never hides another. */
export const MAX_LINES = 200;
const MAX_CALLS = 20;
/** The maximum number of lines that wait while the database does not answer. */
const MAX_PENDING = 5_000;
const AT_A_TIME = 500;
const TRY_AGAIN_MS = 5_000;

const logs = new WeakMap<Services, Log>();

function logOf(services: Services): Log {
  let log = logs.get(services);
  if (!log) {
    const counts = { sign_in_failed: 0, locked_out: 0, refused: 0, key_refused: 0 };
    const [lines, perKind, pending] = [new Map(), new Map(), new Set<Line>()];
    logs.set(services, (log = { minute: 0, lines, perKind, pending, writing: null, counts, lost: 0 }));
  }
  return log;
}

/** Returns what has failed since this process started, and how many lines could not be stored. */
export function securityCounts(services: Services): { counts: Record<Failure, number>; lost: number } {
  return logOf(services);
}

/** Logs an event. Never throws and never waits. Repetitions by one caller within the minute are counted on the same line. */
export function noteSecurity(services: Services, note: SecurityNote): void {
  const log = logOf(services);
  const failure = failureOf(note);
  if (failure) log.counts[failure] += 1;
  const now = services.clock.now();
  const line = lineFor(log, note, now);
  line.times += 1;
  line.lastAt = now;
  if (note.call && line.calls.size < MAX_CALLS) line.calls.add(note.call);
  log.pending.add(line);
  if (log.pending.size > MAX_PENDING) {
    for (const oldest of log.pending) {
      log.pending.delete(oldest);
      log.lost += 1;
      break;
    }
  }
  // After a failure the timer retries.
  if (!log.retry) void writeSecurityLog(services);
}

function failureOf({ kind, action }: SecurityNote): Failure | null {
  if (kind === 'SignInFailed') return 'sign_in_failed';
  if (kind === 'LockedOut') return 'locked_out';
  if (kind === 'Refused') return 'refused';
  return action === 'Key refused' ? 'key_refused' : null;
}

function lineFor(log: Log, note: SecurityNote, now: Date): Line {
  const minute = Math.floor(now.getTime() / 60_000);
  if (minute !== log.minute) {
    log.minute = minute;
    log.lines.clear();
    log.perKind.clear();
  }
  const { kind, action, userId, keyId, who, from } = note;
  const key = JSON.stringify([kind, action, userId ?? who, keyId ?? 0, from?.address]);
  const known = log.lines.get(key);
  if (known) return known;
  const count = log.perKind.get(kind) ?? 0;
  const isMany = count >= MAX_LINES;
  const result = isMany ? log.lines.get(kind) : undefined;
  if (result) return result;
  const line = {
    note: isMany ? { kind, action, who: MANY, from: undefined } : note,
    at: now,
    lastAt: now,
    times: 0,
    calls: new Set<string>(),
    id: null,
  };
  log.lines.set(isMany ? kind : key, line);
  log.perKind.set(kind, count + 1);
  return line;
}

/** Writes the pending lines. Resolves when all of them are written or have failed; failed ones are retried later. */
export function writeSecurityLog(services: Services): Promise<void> {
  const log = logOf(services);
  if (log.pending.size > 0) log.writing ??= writeAll(services, log);
  return log.writing ?? Promise.resolve();
}

async function writeAll(services: Services, log: Log): Promise<void> {
  clearTimeout(log.retry);
  delete log.retry;
  while (log.pending.size > 0) {
    const lines = [...log.pending].slice(0, AT_A_TIME);
    for (const line of lines) log.pending.delete(line);
    try {
      await writeEvents(services.database.db, lines);
    } catch (error) {
      if (isUnstorable(error)) {
        await writeEach(services, log, lines);
        continue;
      }
      for (const line of lines) log.pending.add(line);
      services.log.warn(
        { err: error, lines: log.pending.size },
        'the security log cannot be written; it is tried again',
      );
      log.retry = setTimeout(() => void writeSecurityLog(services), TRY_AGAIN_MS).unref();
      break;
    }
  }
  // In the same tick as the last check of `pending`, so that no line is left behind.
  log.writing = null;
}

/** Returns whether the values are at fault, so that a retry would not help. */
const isUnstorable = (error: unknown): boolean => /^2[23]/.test((error as { code?: string }).code ?? '');

/** Writes lines one by one, so that one line that cannot be stored does not prevent the others. */
async function writeEach(services: Services, log: Log, lines: Line[]): Promise<void> {
  for (const line of lines) {
    await writeEvents(services.database.db, [line]).catch((error: unknown) => {
      if (!isUnstorable(error)) {
        log.pending.add(line);
        return;
      }
      log.lost += 1;
      services.log.warn({ err: error, kind: line.note.kind }, 'a line of the security log was lost');
    });
  }
}

async function writeEvents(db: Db, lines: Line[]): Promise<void> {
  const rows = lines.map((line, place) => ({ place, ...eventRow(line) }));
  const { rows: written } = await sql<{ place: number; id: string }>`
    with line as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as l(place int, id bigint, at timestamptz, last_at timestamptz,
        times int, kind text, action text, user_id int, key_id int, who text, account text, address text, user_agent text, calls jsonb)
    ), numbered as (
      select l.*, coalesce(l.id, nextval(pg_get_serial_sequence('security_event', 'id'))) as line_id,
        array(select jsonb_array_elements_text(l.calls)) as all_calls from line l
    ), counted as (
      update security_event s set last_at = t.last_at, times = t.times, calls = t.all_calls from numbered t
      where t.id is not null and s.id = t.id
    ), added as (
      insert into security_event (id, at, last_at, times, kind, action, user_id, key_id, who, account, address, user_agent, calls)
      overriding system value
      select line_id, at, last_at, times, kind, action, user_id, key_id, who, account, address, user_agent, all_calls
      from numbered where id is null order by place
    )
    select place, line_id::text as id from numbered`.execute(db);
  for (const { place, id } of written) {
    const line = lines[place];
    if (line) line.id = id;
  }
}

function eventRow({ note, at, lastAt, times, calls, id }: Line) {
  const { kind, action, userId = null, keyId = null, who, account = '', from } = note;
  return {
    id,
    at,
    last_at: lastAt,
    times,
    kind,
    action,
    user_id: userId,
    key_id: keyId,
    who: storable(who, 320),
    account: storable(account, 320),
    address: storable(from?.address ?? '', 64),
    user_agent: storable(from?.userAgent ?? '', 300),
    calls: [...calls],
  };
}

/** Returns text of a caller in a form that the database accepts: well-formed, without control characters, cut. */
function storable(text: string, most: number): string {
  return text
    .replaceAll(/[\u0000-\u001f\u007f]/g, ' ')
    .slice(0, most)
    .toWellFormed();
}

const EMAIL = /^[^\s@]{1,64}@[^\s@.]+(?:\.[^\s@.]+)+$/;

/**
 * Returns a typed user name without an account if it looks like an email address. Otherwise returns '', because users type their password there by
 * mistake.
 */
export function typedName(typed: string): string {
  const name = typed.trim().toLowerCase();
  return name.length <= 254 && EMAIL.test(name) ? name : '';
}
