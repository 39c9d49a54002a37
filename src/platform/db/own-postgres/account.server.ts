// The account that PostgreSQL runs under. PostgreSQL refuses to run as root, which containers and most build machines use.
import fs from 'node:fs';
import path from 'node:path';

/** A user of this computer, or null for the user that runs this program. */
export type Account = { name: string; uid: number; gid: number } | null;

const CANDIDATES = ['postgres', 'nobody'];

/** Throws if this process runs as root and the computer has no suitable other account. */
export function accountOfPostgres(passwd = '/etc/passwd'): Account {
  if (process.getuid?.() !== 0) return null;
  const lines = fs.existsSync(passwd) ? fs.readFileSync(passwd, 'utf8').split('\n') : [];
  for (const candidate of CANDIDATES) {
    for (const line of lines) {
      const [name, , uid, gid] = line.split(':');
      if (name === candidate && Number(uid) > 0 && Number(gid) > 0) return { name, uid: Number(uid), gid: Number(gid) };
    }
  }
  throw new Error(
    'PostgreSQL does not run as root, and this computer has no user postgres or nobody. Run Quoteboard as another user, or set DATABASE_URL to a PostgreSQL 15 or newer.',
  );
}

/**
 * Returns whether the account may pass through the folder and all folders above it. For a folder that does not exist yet, only the folders above it
 * matter.
 */
export function mayEnter(folder: string, account: Account): boolean {
  if (!account) return true;
  for (let place = path.resolve(folder); ; place = path.dirname(place)) {
    const stat = fs.statSync(place, { throwIfNoEntry: false });
    const bit = stat?.uid === account.uid ? 0o100 : stat?.gid === account.gid ? 0o010 : 0o001;
    if (stat && (stat.mode & bit) === 0) return false;
    if (place === path.dirname(place)) return true;
  }
}

/** Creates a folder that only the account may use. Throws if it belongs to another account. */
export function privateFolder(folder: string, account: Account): void {
  const uid = account?.uid ?? process.getuid?.();
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stat = fs.lstatSync(folder);
  const isMine = uid === undefined || stat.uid === uid || stat.uid === process.getuid?.();
  if (!stat.isDirectory() || !isMine) throw new Error(`The folder ${folder} belongs to another user.`);
  if (account) fs.chownSync(folder, account.uid, account.gid);
  fs.chmodSync(folder, 0o700);
}
