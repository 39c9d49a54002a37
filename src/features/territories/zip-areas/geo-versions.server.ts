// Manages versions of ZIP areas: the built-in one (geo/ at the top of the repository), and versions with imported states.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '#db/database.server.ts';

const FOLDER = path.join(import.meta.dirname, '../../../../geo');

export type GeoVersionFile = {
  /** The hash of the file, which is part of its address. */
  sha: string;
  state: string;
  areas: number;
  /** How many areas came from a file; the others are approximate. */
  imported: number;
  /** The content of an imported file. Built-in files are in geo/. */
  packed?: Buffer;
  /** The approximate areas of an imported file. */
  approximate?: ReadonlySet<string>;
};

export type GeoVersion = {
  /** Identifies the version to clients that draw it. */
  sha: string;
  /** The version name that a plan stores; '' for the built-in areas. */
  pin: string;
  /** One file per state. */
  files: GeoVersionFile[];
  /** The ZIPs of each state that have an area, in order: '75001 75002'. */
  zips: ReadonlyMap<string, string>;
  /** The ZIPs of all states. */
  allZips: string;
};

const Index = z.object({
  sha: z.string(),
  files: z.array(z.object({ file: z.string(), state: z.string().nullable(), areas: z.number() })),
});

/** The built-in version. */
export const shippedVersion: () => Promise<GeoVersion> = once(async () => {
  const { sha, files } = index();
  const zips = JSON.parse(String(await unpacked(shippedFile('zips.json')))) as Record<string, string>;
  return {
    sha,
    pin: '',
    files: files.flatMap(({ state, areas }) => (state ? [{ sha, state, areas, imported: 0 }] : [])),
    zips: new Map(Object.entries(zips)),
    allZips: Object.values(zips).join(' '),
  };
});

/** The version that the map shows now. */
export async function currentVersion(db: Db): Promise<GeoVersion> {
  return pinnedVersion(db, await currentPin(db));
}

/** The name of the current version, in the form that a plan stores. */
export async function currentPin(db: Db): Promise<string> {
  const row = await db.selectFrom('geo_use').select('version_sha').orderBy('id', 'desc').limit(1).executeTakeFirst();
  return row?.version_sha ?? '';
}

/** The imported files of a version, by state. */
export async function filesOfPin(db: Db, pin: string): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('geo_version_file')
    .select(['state', 'file_sha'])
    .where('version_sha', '=', pin)
    .execute();
  return new Map(rows.map(({ state, file_sha }) => [state, file_sha]));
}

/** The name of the version with these imported files. */
function pinOf(files: ReadonlyMap<string, string>): string {
  if (files.size === 0) return '';
  const lines = [...files].map(([state, sha]) => `${state} ${sha}`).toSorted();
  return shortSha(lines.join('\n'));
}

export function shortSha(content: string): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 16);
}

/** The number of recently used versions to cache. A fully imported country takes about 3 MB. */
const KEPT = 4;
const kept = new Map<string, GeoVersion>();

/** Finds a version by the name that a plan stores. States without an import use the current built-in areas. */
export async function pinnedVersion(db: Db, pin: string): Promise<GeoVersion> {
  const shipped = await shippedVersion();
  if (pin === '') return shipped;
  const version = kept.get(pin) ?? (await readVersion(db, shipped, pin));
  kept.delete(pin);
  kept.set(pin, version);
  for (const old of [...kept.keys()].slice(0, -KEPT)) kept.delete(old);
  return version;
}

async function readVersion(db: Db, shipped: GeoVersion, pin: string): Promise<GeoVersion> {
  const rows = await db
    .selectFrom('geo_version_file as v')
    .innerJoin('geo_file as f', 'f.sha', 'v.file_sha')
    .select(['f.sha', 'f.state', 'f.packed', 'f.zips', 'f.approximate'])
    .where('v.version_sha', '=', pin)
    .execute();
  const zips = new Map(shipped.zips);
  const files = new Map(shipped.files.map((file) => [file.state, file]));
  for (const { sha, state, packed, zips: own, approximate } of rows) {
    const notReal = words(approximate);
    const areas = words(own).length;
    zips.set(state, own);
    files.set(state, {
      sha,
      state,
      areas,
      imported: areas - notReal.length,
      packed: Buffer.from(packed),
      approximate: new Set(notReal),
    });
  }
  return {
    sha: shortSha(`${shipped.sha} ${pin}`),
    pin,
    files: [...files.values()],
    zips,
    allZips: [...zips.values()].filter(Boolean).join(' '),
  };
}

const words = (text: string): string[] => (text === '' ? [] : text.split(' '));

/** Waits for other changes to the shown areas and holds the lock until the end of the transaction. */
export async function lockAreas(trx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('zip-areas'))`.execute(trx);
}

/** Makes the version with these imported files the current one. */
export async function useFiles(
  trx: Db,
  files: ReadonlyMap<string, string>,
  by: { userId: number; importId?: number },
): Promise<void> {
  const pin = pinOf(files);
  if (pin !== '') {
    const made = await trx
      .insertInto('geo_version')
      .values({ sha: pin })
      .onConflict((conflict) => conflict.doNothing())
      .returning('sha')
      .executeTakeFirst();
    if (made)
      await trx
        .insertInto('geo_version_file')
        .values([...files].map(([state, file_sha]) => ({ version_sha: pin, state, file_sha })))
        .execute();
  }
  await trx
    .insertInto('geo_use')
    .values({ version_sha: pin || null, user_id: by.userId, import_id: by.importId ?? null })
    .execute();
}

/** The gzipped JSON of a file ('TX.json', 'us.json') with this sha; undefined if no such file exists. */
export async function geoFile(db: Db, sha: string, file: string): Promise<Buffer | undefined> {
  if (sha === index().sha) return index().files.some((one) => one.file === file) ? shippedFile(file) : undefined;
  const state = /^([A-Z]{2})\.json$/.exec(file)?.[1];
  if (!state || !/^[0-9a-f]{16}$/.test(sha)) return undefined;
  const row = await db
    .selectFrom('geo_file')
    .select('packed')
    .where('sha', '=', sha)
    .where('state', '=', state)
    .executeTakeFirst();
  return row && Buffer.from(row.packed);
}

export const unpacked = promisify<Buffer, Buffer>(gunzip);

const index = once(() => Index.parse(JSON.parse(fs.readFileSync(path.join(FOLDER, 'index.json'), 'utf8'))));

const packed = new Map<string, Buffer>();

/** The gzipped content of a built-in file. */
export function shippedFile(file: string): Buffer {
  const known = packed.get(file) ?? fs.readFileSync(path.join(FOLDER, `${file}.gz`));
  packed.set(file, known);
  return known;
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
