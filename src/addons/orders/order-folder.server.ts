// Writes order files into a folder, each completely or not at all, and never over other content.
import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { withoutPath } from '#platform/outside/storage-label.server.ts';

/** The folder cannot accept any order until an administrator fixes it. */
export class FolderFault extends Error {}

/** Another file has this name. Only this order waits until an administrator resolves it. */
export class NameTaken extends Error {}

/** Writes a file under a temporary name, then gives it its final name. Does nothing if a file with that name and content exists. */
export async function writeOrderFile(folder: string, name: string, content: string): Promise<void> {
  const target = path.join(folder, name);
  const part = path.join(folder, `.${name}.${randomUUID()}.part`);
  try {
    await fs.mkdir(folder, { recursive: true });
    const file = await fs.open(part, 'wx');
    try {
      await file.writeFile(content, 'utf8');
      await file.sync();
    } finally {
      await file.close();
    }
    await nameFile(part, target, content);
  } catch (error) {
    if (error instanceof NameTaken) throw error;
    throw new FolderFault(folderProblem(error, folder), { cause: error });
  } finally {
    await fs.rm(part, { force: true }).catch(() => {});
  }
}

async function nameFile(part: string, target: string, content: string): Promise<void> {
  try {
    // A link to an existing name fails, while a rename would overwrite the file.
    return await fs.link(part, target);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST' && !['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EXDEV'].includes(code ?? '')) throw error;
  }
  // The name exists, or the folder's file system has no links. Only one process at a time writes an order.
  const there = await fs.readFile(target, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (there === null) return fs.rename(part, target);
  if (there !== content)
    throw new NameTaken(
      `The folder already has a file ${path.basename(target)} with different content. Move that file, then send the order again.`,
    );
}

/** Removes partial files that a killed process left behind, after an hour. */
export async function removeLeftParts(folder: string, now: number): Promise<void> {
  const names = await fs.readdir(folder).catch(() => []);
  for (const name of names.filter((candidate) => /^\.order-.*\.part$/.test(candidate))) {
    const file = path.join(folder, name);
    const { mtimeMs } = await fs.stat(file).catch(() => ({ mtimeMs: now }));
    if (now - mtimeMs > 3_600_000) await fs.rm(file, { force: true });
  }
}

export async function testFolder(folder: string): Promise<string> {
  const file = path.join(folder, `.order-test.${randomUUID()}.part`);
  try {
    await fs.mkdir(folder, { recursive: true });
    await fs.writeFile(file, 'test');
    return '';
  } catch (error) {
    return folderProblem(error, folder);
  } finally {
    await fs.rm(file, { force: true }).catch(() => {});
  }
}

const CAUSES: Record<string, string> = {
  EACCES: 'the server has no write permission',
  EPERM: 'the server has no write permission',
  EROFS: 'it is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota is exceeded',
  ENOTDIR: 'it is not a folder',
  EEXIST: 'it is not a folder',
  ENOENT: 'it does not exist',
};

function folderProblem(error: unknown, folder: string): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return `Files cannot be written to the order folder (ORDER_FOLDER): ${CAUSES[code ?? ''] ?? code ?? withoutPath(message, 'ORDER_FOLDER', folder)}.`;
}
