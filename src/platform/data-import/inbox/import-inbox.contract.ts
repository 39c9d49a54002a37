// The calls for the watched import folder: its address, waiting files, and results (docs/decisions/0028).
import { z } from 'zod';
import { Nothing, post } from '#platform/api/endpoint.ts';
import { PageInput, pageOf } from '#platform/shared/wire.ts';
import { IMPORT_ROLES } from '../data-import.contract.ts';

export const INBOX_FILE_STATES = ['Importing', 'Done', 'Refused'] as const;
export type InboxFileState = (typeof INBOX_FILE_STATES)[number];

const InboxKind = z.object({
  kind: z.string(),
  label: z.string(),
  /** The folder for files of this kind. */
  address: z.string(),
  /** The names of files that wait in the folder, only the first ones of `waitingTotal`. */
  waiting: z.array(z.string()),
  waitingTotal: z.number().int(),
  /** Why the folder cannot be read; '' if it can. */
  problem: z.string(),
});
export type InboxKind = z.infer<typeof InboxKind>;

const InboxView = z.object({
  /** Null if no folder is watched. */
  address: z.string().nullable(),
  /** The end of the last check and its problem ('' for none). Null if there was no check yet. */
  lookedAt: z.string().nullable(),
  problem: z.string(),
  /** True if this database is a restored copy, which does not import files until its mail is released. */
  held: z.boolean(),
  kinds: z.array(InboxKind),
});
export type InboxView = z.infer<typeof InboxView>;

const InboxFile = z.object({
  id: z.number().int(),
  name: z.string(),
  kindLabel: z.string(),
  state: z.enum(INBOX_FILE_STATES),
  /** Why part of the file was not imported; '' if all of it was. */
  said: z.string(),
  takenAt: z.string(),
  endedAt: z.string().nullable(),
  /** When the same bytes arrived again, which changes nothing. */
  againAt: z.string().nullable(),
  /** The import in the history, or null if the file could not become an import. */
  importId: z.number().int().nullable(),
});
export type InboxFile = z.infer<typeof InboxFile>;

const access = IMPORT_ROLES;

export const ImportInbox = {
  GetImportInbox: post('/api/DataImport/GetImportInbox', Nothing, InboxView, {
    access,
    summary: 'The watched folder with what waits in it, for the kinds that the user may import.',
  }),
  ListInboxFiles: post('/api/DataImport/ListInboxFiles', PageInput, pageOf(InboxFile), {
    access,
    summary: 'The files that arrived in the watched folder, newest first.',
  }),
  LookIntoInbox: post('/api/DataImport/LookIntoInbox', Nothing, Nothing, {
    access,
    writes: true,
    rateLimit: 60,
    summary: 'Checks the watched folder now. 409 when none is watched.',
  }),
};
