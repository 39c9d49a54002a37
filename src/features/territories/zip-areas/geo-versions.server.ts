// The versions of ZIP areas: the one that comes with the program, in geo/ at the top of the repository.
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { z } from 'zod';

const FOLDER = path.join(import.meta.dirname, '../../../../geo');

export type GeoVersion = {
  sha: string;
  /** One a state. */
  files: { state: string; areas: number; approximate: boolean }[];
  /** The ZIPs of each state that have an area, in order: '75001 75002'. */
  zips: ReadonlyMap<string, string>;
  /** All of them. */
  allZips: string;
};

const Index = z.object({
  sha: z.string(),
  files: z.array(z.object({ file: z.string(), state: z.string().nullable(), areas: z.number() })),
});

/** The version that comes with the program. */
export const shippedVersion: () => Promise<GeoVersion> = once(async () => {
  const { sha, files } = index();
  const zips = JSON.parse(String(await unpacked(packedFile('zips.json')))) as Record<string, string>;
  return {
    sha,
    files: files.flatMap(({ state, areas }) => (state ? [{ state, areas, approximate: true }] : [])),
    zips: new Map(Object.entries(zips)),
    allZips: Object.values(zips).join(' '),
  };
});

/** The gzipped JSON of a file ('TX.json', 'us.json') of a version; undefined when there is no such file. */
export function geoFile(sha: string, file: string): Buffer | undefined {
  return sha === index().sha && index().files.some((one) => one.file === file) ? packedFile(file) : undefined;
}

export const unpacked = promisify<Buffer, Buffer>(gunzip);

const index = once(() => Index.parse(JSON.parse(fs.readFileSync(path.join(FOLDER, 'index.json'), 'utf8'))));

const packed = new Map<string, Buffer>();

function packedFile(file: string): Buffer {
  const known = packed.get(file) ?? fs.readFileSync(path.join(FOLDER, `${file}.gz`));
  packed.set(file, known);
  return known;
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
