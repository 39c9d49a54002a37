// The names of configured folders and buckets on screens. A path on the server does not help the reader, but would help an intruder.
import path from 'node:path';

/** Returns the address of a bucket without secrets. A folder is named by its setting: 'IMPORT_INBOX', or 'IMPORT_INBOX/items' for a part of it. */
export function namedPlace(setting: string, address: string, part = ''): string {
  const place = address.startsWith('s3:') ? address.replace(/\?.*$/, '').replace(/^(\w+:\/\/)[^/@]*@/, '$1') : setting;
  return [place.replace(/\/$/, ''), part].filter(Boolean).join('/');
}

/** Returns a message about a place with the place's name instead of its path. */
export function withoutPath(message: string, setting: string, address: string): string {
  if (address.startsWith('s3:')) return message;
  return message.replaceAll(path.resolve(address), setting).replaceAll(address, setting);
}
