// How screens name the folders and buckets of the configuration: a path of the server helps no reader, but helps an intruder.
import path from 'node:path';

/** A bucket's address without secrets; a folder goes by its setting: 'IMPORT_INBOX', or 'IMPORT_INBOX/items' for a part of it. */
export function namedPlace(setting: string, address: string, part = ''): string {
  const place = address.startsWith('s3:') ? address.replace(/\?.*$/, '').replace(/^(\w+:\/\/)[^/@]*@/, '$1') : setting;
  return [place.replace(/\/$/, ''), part].filter(Boolean).join('/');
}

/** A message about a place, with its name instead of its path. */
export function withoutPath(message: string, setting: string, address: string): string {
  if (address.startsWith('s3:')) return message;
  return message.replaceAll(path.resolve(address), setting).replaceAll(address, setting);
}
