// Receives the changes of all servers from the database, and sends each connected user the changes that they may see.
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import type { Caller, Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { forgetCaller, forgetCallers } from '#platform/auth/sessions/caller.server.ts';
import { quoteSight } from '#platform/kit/quote-sight.server.ts';
import { hasRole } from '#platform/shared/roles.ts';
import { CHANNEL } from './channel.server.ts';
import { type Fact, FACT_KINDS, type FactKind, type Farewell, type Here } from './live.contract.ts';
import { openPlaces, othersOn } from './who-is-where.server.ts';

/** One open stream. */
export type Listener = {
  sessionId: string;
  /** Returns the current caller. Rejects if they may no longer listen. */
  caller: () => Promise<Caller>;
  facts: (facts: readonly Fact[]) => void;
  here: (here: Here) => void;
  bye: (why: Farewell) => void;
};

export type LiveHub = {
  /** Adds a listener once it is certain to receive every later change. Rejects if the connection to the database cannot be opened. */
  join: (listener: Listener) => Promise<void>;
  leave: (listener: Listener) => void;
  count: () => number;
  /** Ends all streams with a farewell. */
  stop: () => Promise<void>;
};

/** The name of the listening connection, as the database shows it. */
export const EAR = 'quoteboard live';
/** Changes are collected for this long, so that one save of many records becomes one event. */
const GATHER_MS = 80;
/**
 * A connection that is silent, or that a pooler shares, receives nothing and reports no error. So the server sends a message to itself this often.
 */
const PULSE_MS = 20_000;
const PULSE_WITHIN_MS = 5000;
/** If more records of one kind change, they become a single fact that means: read everything of this kind again. */
const MAX_FACTS = 100;

export function openLiveHub(services: Services): LiveHub {
  const listeners = new Set<Listener>();
  let ear: Promise<pg.Client> | null = null;
  let gathered = new Map<string, Fact>();
  /** Quotes on which a user came, left, or moved. */
  let moved = new Set<number>();
  let queue: Promise<void> = Promise.resolve();
  let gathering = false;
  let stopped = false;

  const farewell = (why: Farewell) => {
    for (const listener of listeners) listener.bye(why);
    listeners.clear();
  };
  /** Without a connection to the database, changes are missed. Clients that reconnect read everything again. */
  const lose = () => {
    ear = null;
    gathered = new Map();
    places.clear();
    farewell('lost');
  };
  const hear = (payload: string) => {
    const [kind = '', id = '', version = ''] = payload.split(' ');
    if (kind === 'callers') {
      forgetCallers(services);
      return later(checkAll);
    }
    if (kind === 'session') {
      forgetCaller(services, id);
      places.endSession(id);
      for (const listener of listeners) if (listener.sessionId === id) later(() => check(listener));
      return;
    }
    if (places.hear(payload) || !(kind in FACT_KINDS)) return;
    const key = `${kind} ${id}`;
    const known = gathered.get(key)?.version ?? 0;
    gathered.set(key, { kind: kind as FactKind, id: Number(id), version: Math.max(known, Number(version)) });
    gather();
  };
  const gather = () => {
    if (gathering) return;
    gathering = true;
    later(async () => {
      await sleep(GATHER_MS);
      gathering = false;
      const [facts, quoteIds] = [[...gathered.values()], [...moved]];
      gathered = new Map();
      moved = new Set();
      try {
        if (facts.length > 0) await sendFacts(facts);
        if (quoteIds.length > 0) await sendPlaces(quoteIds);
      } catch (error) {
        // The collected facts are lost. Clients that reconnect read everything again.
        farewell('lost');
        throw error;
      }
    });
  };
  const move = (quoteId: number) => {
    moved.add(quoteId);
    gather();
  };
  const places = openPlaces(move);
  /** Runs the work in order, so that permissions are checked before the next facts are sent. */
  const later = (work: () => Promise<unknown>) => {
    queue = queue
      .then(work)
      .then(() => {})
      .catch((error: unknown) => services.log.warn({ err: error }, 'live'));
  };

  const check = async (listener: Listener): Promise<Caller | null> => {
    if (!listeners.has(listener)) return null;
    try {
      return await listener.caller();
    } catch {
      listeners.delete(listener);
      listener.bye('ended');
      return null;
    }
  };
  const checkAll = async () => {
    for (const listener of listeners) await check(listener);
  };
  const sendFacts = async (facts: readonly Fact[]) => {
    if (listeners.size === 0) return;
    const many = [...Map.groupBy(facts, ({ kind }) => kind)].flatMap(([kind, ofKind]) =>
      ofKind.length > MAX_FACTS || ofKind.some(({ id }) => id === 0) ? [{ kind, id: 0, version: 0 }] : ofKind,
    );
    const sight = await sightOf(
      services.database.db,
      many.filter(({ kind, id }) => kind === 'quote' && id !== 0).map(({ id }) => id),
    );
    const isFor = (caller: Caller, { kind, id }: Fact) => {
      const rule = FACT_KINDS[kind];
      if (rule === 'own') return id === 0 || id === caller.id;
      if (rule !== 'inSight') return hasRole(caller, ...rule);
      // A change of many quotes reveals nothing about any of them.
      if (id === 0) return true;
      const quote = sight.get(id);
      return quote !== undefined && quoteSight().seesQuote(caller, quote);
    };
    for (const listener of listeners) {
      const caller = await check(listener);
      if (!caller) continue;
      const own = many.filter((fact) => isFor(caller, fact));
      if (own.length > 0) listener.facts(own);
    }
  };
  /** For streams whose browser has one of the quotes open: sends the other users who have it open. */
  const sendPlaces = async (quoteIds: readonly number[]) => {
    const open = quoteIds.map((quoteId) => ({ quoteId, on: places.on(quoteId) }));
    const sessions = new Set(open.flatMap(({ on }) => on.map(({ sessionId }) => sessionId)));
    const there = [...listeners].filter(({ sessionId }) => sessions.has(sessionId));
    if (there.length === 0) return;
    const sight = await sightOf(services.database.db, [...quoteIds]);
    const people = [...new Set(open.flatMap(({ on }) => on.map(({ userId }) => userId)))];
    const names = await namesOf(services.database.db, people);
    for (const listener of there) {
      const caller = await check(listener);
      if (!caller) continue;
      for (const { quoteId, on } of open) {
        const quote = sight.get(quoteId);
        if (
          !quote ||
          !quoteSight().seesQuote(caller, quote) ||
          !on.some(({ sessionId }) => sessionId === listener.sessionId)
        )
          continue;
        listener.here({ quoteId, others: othersOn(on, caller.id, names) });
      }
    }
  };

  return {
    join: async (listener) => {
      ear ??= listen(services, hear, lose).catch((error: unknown) => {
        ear = null;
        throw error;
      });
      await ear;
      if (stopped) throw new Error('The server is stopping.');
      listeners.add(listener);
      // The tabs of this session may have reported their places before.
      for (const quoteId of places.quotesOf(listener.sessionId)) move(quoteId);
    },
    leave: (listener) => void listeners.delete(listener),
    count: () => listeners.size,
    stop: async () => {
      stopped = true;
      places.clear();
      farewell('stopping');
      const client = await ear?.catch(() => null);
      await client?.end().catch(() => {});
      await queue;
    },
  };
}

/** Opens a connection that receives changes, and verifies that it does. `lose` is called when it no longer receives them. */
async function listen(
  { database }: Pick<Services, 'database'>,
  hear: (payload: string) => void,
  lose: () => void,
): Promise<pg.Client> {
  const { connectionString, connectionTimeoutMillis, query_timeout } = database.pool.options;
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis,
    query_timeout,
    keepAlive: true,
    application_name: EAR,
  });
  let isOpen = false;
  let pulseHeard = () => {};
  const pulse = `pulse ${crypto.randomUUID()}`;
  const checkThatItHears = async () => {
    const hearsItself = new Promise<true>((resolve) => (pulseHeard = () => resolve(true)));
    await client.query('select pg_notify($1, $2)', [CHANNEL, pulse]);
    if (!(await Promise.race([hearsItself, sleep(PULSE_WITHIN_MS, false, { ref: false })])))
      throw new Error('The connection for changes receives nothing.');
  };
  client.on('error', () => {});
  client.on('end', () => isOpen && lose());
  client.on('notification', ({ payload = '' }) => (payload === pulse ? pulseHeard() : hear(payload)));
  try {
    await client.connect();
    await client.query(`listen ${CHANNEL}`);
    await checkThatItHears();
  } catch (error) {
    void client.end().catch(() => {});
    throw error;
  }
  isOpen = true;
  const beat = setInterval(() => void checkThatItHears().catch(() => client.end()), PULSE_MS);
  client.on('end', () => clearInterval(beat));
  return client;
}

/** Reads what decides who may see these quotes. */
async function sightOf(db: Db, ids: number[]) {
  if (ids.length === 0) return new Map<number, never>();
  const rows = await db
    .selectFrom('quote')
    .select(['id', 'owner_id', 'sales_rep_id', 'region_id'])
    .select(sql<boolean>`exists (select from approval_request where quote_id = quote.id)`.as('wasAsked'))
    .where('id', '=', (eb) => eb.fn.any(eb.val(ids)))
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

async function namesOf(db: Db, ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom('app_user')
    .select(['id', 'full_name'])
    .where('id', '=', (eb) => eb.fn.any(eb.val(ids)))
    .execute();
  return new Map(rows.map((row) => [row.id, row.full_name]));
}
