// Stores file bytes in a folder or an S3-compatible bucket. The store creates the keys, which never contain a path from the user.
import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';

export type FileStore = {
  /** Stores bytes and returns their key. Rejects unless the bytes are safely stored. */
  put: (bytes: Buffer) => Promise<string>;
  /** Like `put`, for a file on disk of any size. */
  putFile: (file: string) => Promise<string>;
  /** Rejects with `FileMissingError` if the store works but has nothing under the key. */
  get: (key: string) => Promise<Buffer>;
  /** Like `get`, but as a stream. */
  open: (key: string) => Promise<Readable>;
  remove: (key: string) => Promise<void>;
  /** Lists the keys last written before a time, and unfinished files of killed processes. `remove` accepts both. */
  list: (before: Date) => AsyncIterable<string>;
};

/** The store works but the file is missing, so a retry does not help. */
export class FileMissingError extends Error {
  override name = 'FileMissingError';
}

/**
 * Opens the store of a STORAGE_URL: `file:/folder` or `s3://bucket/prefix?endpoint=…&region=…&timeout=…` (keys from the AWS_*
 * variables; `timeout` in seconds, 20 by default).
 */
export async function openFileStore(storageUrl: string): Promise<FileStore> {
  if (storageUrl.startsWith('file:')) return folderStore(path.resolve(storageUrl.slice('file:'.length)));
  if (storageUrl.startsWith('s3:')) return bucketStore(new URL(storageUrl));
  throw new Error('STORAGE_URL must begin with file: or s3:');
}

function folderStore(folder: string): FileStore {
  const fileOf = (key: string) => path.join(folder, key.slice(0, 2), key);
  const put = async (content: Buffer | Readable) => {
    const key = randomUUID();
    const file = fileOf(key);
    const temporaryFile = `${file}.part`;
    await fs.mkdir(path.dirname(file), { recursive: true });
    // Writes to a temporary name and renames the file, so that a full disk or a killed process leaves no partial file under a key.
    try {
      await writeSynced(temporaryFile, content);
      await fs.rename(temporaryFile, file);
      await syncFolder(path.dirname(file));
    } catch (error) {
      await fs.rm(temporaryFile, { force: true });
      throw error;
    }
    return key;
  };
  return {
    put,
    putFile: async (file) => put((await fs.open(file)).createReadStream()),
    get: (key) => fs.readFile(fileOf(key)).catch(throwMissingIf('ENOENT', key)),
    open: async (key) => (await fs.open(fileOf(key)).catch(throwMissingIf('ENOENT', key))).createReadStream(),
    remove: (key) => fs.rm(fileOf(key), { force: true }),
    list: (before) => filesIn(folder, before),
  };
}

/** Matches only names that this store creates. Other files in the folder must not be removed. */
const STORED_NAME = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(\.part)?$/;

async function* filesIn(folder: string, before: Date): AsyncGenerator<string> {
  const ignoreMissing = (error: NodeJS.ErrnoException): null => {
    if (error.code !== 'ENOENT') throw error;
    return null;
  };
  for (const subfolder of (await fs.readdir(folder, { withFileTypes: true }).catch(ignoreMissing)) ?? []) {
    if (!subfolder.isDirectory()) continue;
    for (const name of await fs.readdir(path.join(folder, subfolder.name))) {
      if (!STORED_NAME.test(name) || !name.startsWith(subfolder.name)) continue;
      const result = await fs.stat(path.join(folder, subfolder.name, name)).catch(ignoreMissing);
      if (result && result.mtime < before) yield name;
    }
  }
}

/** Converts an error that means "no such file" into `FileMissingError`. */
function throwMissingIf(code: string, key: string) {
  return (cause: Error & { code?: string }): never => {
    if (code !== cause.code && code !== cause.name) throw cause;
    throw new FileMissingError(`${key} is not in the file store (${cause.message})`, { cause });
  };
}

/** Makes the name of a file survive a power failure like its content, if the system supports that. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await fs.open(folder);
  await handle.sync().finally(() => handle.close());
}

async function writeSynced(file: string, content: Buffer | Readable): Promise<void> {
  const handle = await fs.open(file, 'wx');
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Returns a client for the bucket of an s3:// address, and the prefix in the address. */
export async function openBucket(url: URL) {
  const { S3Client } = await import('@aws-sdk/client-s3');
  const endpoint = url.searchParams.get('endpoint');
  const timeout = Number(url.searchParams.get('timeout') ?? 20) * 1000;
  const client = new S3Client({
    region: url.searchParams.get('region') ?? 'us-east-1',
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    // Without these limits a request to a hanging store would never end.
    requestHandler: { connectionTimeout: 5000, requestTimeout: timeout, throwOnRequestTimeout: true },
    // The default checksums add framing to a stream, which some S3-compatible servers store as part of the object.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  return { client, Bucket: url.hostname, prefix: url.pathname.replace(/^\/|\/$/g, ''), timeout };
}

/** In milliseconds. A user is waiting for the upload. */
const MAX_PUT_MS = 5000;

async function bucketStore(url: URL): Promise<FileStore> {
  const { PutObjectCommand, GetObjectCommand, DeleteObjectCommand, paginateListObjectsV2 } = await import(
    '@aws-sdk/client-s3'
  );
  const { client, Bucket, prefix, timeout } = await openBucket(url);
  const putTimeout = Math.min(MAX_PUT_MS, timeout);
  const nameOf = (key: string) => (prefix ? `${prefix}/${key}` : key);
  const put = async (body: Buffer | Readable, length: number, abortSignal?: AbortSignal) => {
    const key = randomUUID();
    const object = new PutObjectCommand({ Bucket, Key: nameOf(key), Body: body, ContentLength: length });
    await client.send(object, abortSignal ? { abortSignal } : {}).catch((error: Error) => {
      if (!abortSignal?.aborted) throw error;
      throw new Error(`The file store did not respond within ${putTimeout} ms.`, { cause: error });
    });
    return key;
  };
  const find = (key: string) =>
    client.send(new GetObjectCommand({ Bucket, Key: nameOf(key) })).catch(throwMissingIf('NoSuchKey', key));
  return {
    put: (bytes) => put(bytes, bytes.length, AbortSignal.timeout(putTimeout)),
    putFile: async (file) => {
      const handle = await fs.open(file);
      return put(handle.createReadStream(), (await handle.stat()).size);
    },
    get: async (key) => {
      const object = await find(key);
      return Buffer.from((await object.Body?.transformToByteArray()) ?? []);
    },
    open: async (key) => (await find(key)).Body as Readable,
    remove: async (key) => {
      await client.send(new DeleteObjectCommand({ Bucket, Key: nameOf(key) }));
    },
    list: async function* (before) {
      for await (const page of paginateListObjectsV2({ client }, { Bucket, Prefix: nameOf('') })) {
        for (const { Key = '', LastModified } of page.Contents ?? []) {
          const key = Key.slice(nameOf('').length);
          if (STORED_NAME.test(key) && LastModified && LastModified < before) yield key;
        }
      }
    },
  };
}
