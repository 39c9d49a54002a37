// Checks whether dist/web is as new as its sources.
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { root } from './run.mjs';

const SOURCES = [
  'src',
  'public',
  'index.html',
  'vite.config.ts',
  'tools/chunk-groups.mjs',
  'package.json',
  'package-lock.json',
];
const NOT_BUILT = /\.(server|test|e2e)\.tsx?$|\.(server|web)\.test\.ts$/;

export function webIsStale() {
  const built = path.join(root, 'dist', 'web', '.vite', 'manifest.json');
  if (!existsSync(built)) return true;
  const { mtimeMs } = statSync(built);
  return SOURCES.some((source) => filesOf(path.join(root, source)).some((file) => statSync(file).mtimeMs > mtimeMs));
}

/** @returns {string[]} */
function filesOf(/** @type {string} */ place) {
  if (!existsSync(place)) return [];
  if (statSync(place).isFile()) return [place];
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !NOT_BUILT.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name));
}
