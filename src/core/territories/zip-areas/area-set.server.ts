// Reads the ZIP areas that the map shows: those of the imported file, and the built-in ones of geo/ in states that it does not include.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '#platform/db/database.server.ts';

const FOLDER = path.join(import.meta.dirname, '../../../../geo');

export type AreaFile = {
  /** The hash of the file, which is part of its address. */
  sha: string;
  state: string;
  areas: number;
  /** The content of an imported file. Built-in files are in geo/, and their areas are approximate. */
  packed?: Buffer;
};

export type AreaSet = {
  /** Identifies the areas to clients that draw them. */
  sha: string;
  /** One file per state. */
  files: AreaFile[];
  /** The ZIPs of each state that have an area, in order: '75001 75002'. */
  zips: ReadonlyMap<string, string>;
  /** The ZIPs of all states. */
  allZips: string;
};

const Index = z.object({
  sha: z.string(),
  files: z.array(z.object({ file: z.string(), state: z.string().nullable(), areas: z.number() })),
});

export const builtInAreas: () => Promise<AreaSet> = once(async () => {
  const { sha, files } = index();
  const zips = JSON.parse(String(await unpacked(builtInFile('zips.json')))) as Record<string, string>;
  return {
    sha,
    files: files.flatMap(({ state, areas }) => (state ? [{ sha, state, areas }] : [])),
    zips: new Map(Object.entries(zips)),
    allZips: Object.values(zips).join(' '),
  };
});

export function shortSha(content: string): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 16);
}

/** The last set with imported areas. A fully imported country takes about 3 MB. */
let latestSet: AreaSet | undefined;

/** The areas that the map shows now. */
export async function shownAreas(db: Db): Promise<AreaSet> {
  const builtIn = await builtInAreas();
  const imported = await importedFiles(db);
  if (imported.size === 0) return builtIn;
  if (latestSet?.sha === setSha(builtIn, imported)) return latestSet;
  const set = await readSet(db, builtIn);
  latestSet = set;
  return set;
}

function setSha(builtIn: AreaSet, imported: ReadonlyMap<string, string>): string {
  return shortSha([builtIn.sha, ...[...imported].map(([state, sha]) => `${state} ${sha}`)].join('\n'));
}

/** The hash of the imported file of each state, in order. Empty while the map shows the built-in areas. */
export async function importedFiles(db: Db): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('geo_file')
    .select(['state', 'sha'])
    .where('replaced', '=', false)
    .orderBy('state')
    .execute();
  return new Map(rows.map(({ state, sha }) => [state, sha]));
}

async function readSet(db: Db, builtIn: AreaSet): Promise<AreaSet> {
  const rows = await db
    .selectFrom('geo_file')
    .select(['sha', 'state', 'packed', 'zips'])
    .where('replaced', '=', false)
    .orderBy('state')
    .execute();
  const zips = new Map(builtIn.zips);
  const files = new Map(builtIn.files.map((file) => [file.state, file]));
  for (const { sha, state, packed: content, zips: own } of rows) {
    zips.set(state, own);
    files.set(state, { sha, state, areas: own.split(' ').length, packed: Buffer.from(content) });
  }
  const sha = setSha(builtIn, new Map(rows.map((row) => [row.state, row.sha])));
  return { sha, files: [...files.values()], zips, allZips: [...zips.values()].join(' ') };
}

/** Waits for other changes to the shown areas and holds the lock until the end of the transaction. */
export async function lockAreas(trx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('zip-areas'))`.execute(trx);
}

/** The gzipped JSON of a file ('TX.json', 'us.json') with this sha. Undefined if there is no such file. */
export async function geoFile(db: Db, sha: string, file: string): Promise<Buffer | undefined> {
  if (sha === index().sha)
    return index().files.some((candidate) => candidate.file === file) ? builtInFile(file) : undefined;
  const state = /^([A-Z]{2})\.json$/.exec(file)?.[1];
  if (!state || !/^[0-9a-f]{16}$/.test(sha)) return undefined;
  const row = await db
    .selectFrom('geo_file')
    .select('packed')
    .where('sha', '=', sha)
    .where('state', '=', state)
    .limit(1)
    .executeTakeFirst();
  return row && Buffer.from(row.packed);
}

export const unpacked = promisify<Buffer, Buffer>(gunzip);

const index = once(() => Index.parse(JSON.parse(fs.readFileSync(path.join(FOLDER, 'index.json'), 'utf8'))));

const packed = new Map<string, Buffer>();

/** The gzipped content of a built-in file. */
export function builtInFile(file: string): Buffer {
  const known = packed.get(file) ?? fs.readFileSync(path.join(FOLDER, `${file}.gz`));
  packed.set(file, known);
  return known;
}

function once<T>(make: () => T): () => T {
  let memo: { value: T } | undefined;
  return () => (memo ??= { value: make() }).value;
}
