// The watched inbox of pictures: a folder or an s3:// prefix. Files leave it for `filed/` and `refused/` below it.
import { createWriteStream } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { openBucket } from './file-store.server.ts';

export type InboxFile = {
  /** The name of the file in the inbox. */
  key: string;
  size: number;
  /** Changes when the file is replaced. */
  stamp: string;
};

export type PictureInbox = {
  /** Lists the files of the inbox by name, without those that are still being written. */
  list: () => Promise<InboxFile[]>;
  /** Returns the current stamp of a file, or null if the file is gone. */
  stampOf: (key: string) => Promise<string | null>;
  /** Copies a file to the disk. */
  fetch: (key: string, to: string) => Promise<void>;
  /** Moves a file away and returns its new name, or null if the file is gone. A name that exists gets a number. */
  move: (key: string, to: 'filed' | 'done' | 'refused') => Promise<string | null>;
};

/** In milliseconds. A file that changed more recently may still be incomplete. */
const SETTLED_AFTER = 5_000;

export async function openPictureInbox(address: string): Promise<PictureInbox> {
  return address.startsWith('s3:') ? bucketInbox(new URL(address)) : folderInbox(path.resolve(address));
}

/** Matches files that the system and copying programs create. */
const isNoise = (name: string) =>
  name.startsWith('.') || /^(thumbs\.db|desktop\.ini)$|\.(part|crdownload|tmp)$/i.test(name);

const stampOf = ({ size, mtimeMs }: { size: number; mtimeMs: number }) => `${size} ${Math.round(mtimeMs)}`;

function folderInbox(folder: string): PictureInbox {
  return {
    list: async () => {
      await fs.mkdir(folder, { recursive: true });
      const files: InboxFile[] = [];
      for (const entry of await fs.readdir(folder, { withFileTypes: true })) {
        // Ignores links, because they may lead anywhere.
        if (!entry.isFile() || isNoise(entry.name)) continue;
        const stats = await fs.stat(path.join(folder, entry.name)).catch(() => null);
        if (!stats || Date.now() - stats.mtimeMs < SETTLED_AFTER) continue;
        files.push({ key: entry.name, size: stats.size, stamp: stampOf(stats) });
      }
      return files.toSorted((a, b) => (a.key < b.key ? -1 : 1));
    },
    stampOf: (key) =>
      fs.stat(path.join(folder, path.basename(key))).then(stampOf, (error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null;
        throw error;
      }),
    fetch: (key, to) => fs.copyFile(path.join(folder, path.basename(key)), to),
    move: async (key, to) => {
      const source = path.join(folder, path.basename(key));
      await fs.mkdir(path.join(folder, to), { recursive: true });
      for (let n = 1; ; n++) {
        const name = `${to}/${numbered(path.basename(key), n)}`;
        const target = path.join(folder, name);
        try {
          // `link` fails if the name exists, while `rename` would overwrite the file.
          await fs.link(source, target);
          await fs.rm(source);
          return name;
        } catch (error) {
          const { code } = error as NodeJS.ErrnoException;
          if (code === 'ENOENT') return null;
          if (code !== 'EEXIST') throw error;
          const [sourceStats, other] = [await fs.stat(source).catch(() => null), await fs.stat(target)];
          if (!sourceStats) return null;
          // A kill between the two steps leaves one file with both names.
          if (sourceStats.ino === other.ino && sourceStats.dev === other.dev) {
            await fs.rm(source);
            return name;
          }
        }
      }
    },
  };
}

function numbered(name: string, n: number): string {
  const { name: stem, ext } = path.parse(name);
  return n === 1 ? name : `${stem} (${n})${ext}`;
}

async function bucketInbox(url: URL): Promise<PictureInbox> {
  const { ListObjectsV2Command, GetObjectCommand, CopyObjectCommand, DeleteObjectCommand, HeadObjectCommand } =
    await import('@aws-sdk/client-s3');
  const { client, Bucket, prefix } = await openBucket(url);
  const nameOf = (key: string) => (prefix ? `${prefix}/${key}` : key);
  const exists = (key: string) =>
    client.send(new HeadObjectCommand({ Bucket, Key: nameOf(key) })).then(
      ({ ETag = '', ContentLength = 0 }) => ({ ETag, stamp: `${ContentLength} ${ETag}` }),
      (error: { name?: string; $metadata?: { httpStatusCode?: number } }) => {
        if (error.$metadata?.httpStatusCode === 404) return null;
        throw error;
      },
    );
  return {
    list: async () => {
      const files: InboxFile[] = [];
      for (let next: string | undefined, first = true; first || next; first = false) {
        const result = await client.send(
          new ListObjectsV2Command({
            Bucket,
            Prefix: prefix ? `${prefix}/` : '',
            ...(next ? { ContinuationToken: next } : {}),
          }),
        );
        for (const { Key = '', Size = 0, ETag = '' } of result.Contents ?? []) {
          const key = Key.slice(prefix ? prefix.length + 1 : 0);
          if (key && !key.includes('/') && !isNoise(key)) files.push({ key, size: Size, stamp: `${Size} ${ETag}` });
        }
        next = result.IsTruncated ? result.NextContinuationToken : undefined;
      }
      return files;
    },
    stampOf: async (key) => (await exists(key))?.stamp ?? null,
    fetch: async (key, to) => {
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: nameOf(key) }));
      await pipeline(Body as Readable, createWriteStream(to));
    },
    move: async (key, to) => {
      const tag = (await exists(key))?.ETag;
      if (tag === undefined) return null;
      for (let n = 1; ; n++) {
        const name = `${to}/${numbered(key, n)}`;
        const taken = await exists(name);
        // A file with the same content is a copy left by a killed process.
        if (taken !== null && taken.ETag !== tag) continue;
        const CopySource = encodeURI(`${Bucket}/${nameOf(key)}`);
        if (taken === null) await client.send(new CopyObjectCommand({ Bucket, Key: nameOf(name), CopySource }));
        await client.send(new DeleteObjectCommand({ Bucket, Key: nameOf(key) }));
        return name;
      }
    },
  };
}
