// Lets only one program use a data folder.
import fs from 'node:fs';
import path from 'node:path';

/**
 * Locks the folder and returns a function that unlocks it. The lock names its process, so that the next program can take over the lock of a killed
 * one.
 */
export function lockFolder(dataDir: string): () => void {
  fs.mkdirSync(dataDir, { recursive: true });
  const file = path.join(dataDir, 'lock');
  for (let attempt = 0; attempt < 2; attempt++) {
    if (writeNew(file, `${process.pid} ${processStart(process.pid)}`)) return () => fs.rmSync(file, { force: true });
    const owner = ownerOf(dataDir);
    if (owner) {
      throw new Error(
        `The data folder ${dataDir} is in use by process ${owner}. Stop it first, or choose another DATA_DIR.`,
      );
    }
    fs.rmSync(file, { force: true });
  }
  throw new Error(`The data folder ${dataDir} cannot be locked.`);
}

/** Returns the running process that has locked the folder, or undefined. */
export function ownerOf(dataDir: string): number | undefined {
  const file = path.join(dataDir, 'lock');
  if (!fs.existsSync(file)) return undefined;
  const [owner = '', start = ''] = fs.readFileSync(file, 'utf8').split(' ');
  return isWriterAlive(Number(owner), start) ? Number(owner) : undefined;
}

/** Creates a file. Returns false if it already exists. */
function writeNew(file: string, text: string): boolean {
  try {
    fs.writeFileSync(file, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}

/**
 * Returns whether the process that wrote the lock is alive. Its number alone is not enough: another process may have it now, as is common in a
 * container.
 */
function isWriterAlive(pid: number, start: string): boolean {
  if (!pid) return false;
  const now = processStart(pid);
  if (start && now) return start === now;
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Returns the start time of a process in ticks since boot, or '' if the system does not report it. */
function processStart(pid: number): string {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may contain spaces; the start time is the 20th field after it.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
