// The services that answers and jobs use. They are passed in, never imported, so that tests can run many servers side by side.
import type { Logger } from 'pino';
import type { Database } from '#platform/db/database.server.ts';
import type { Jobs } from '#platform/jobs/jobs.server.ts';
import type { Clock } from '#platform/outside/clock.server.ts';
import type { Config } from '#platform/outside/config.server.ts';
import type { FileStore } from '#platform/outside/file-store.server.ts';
import type { MailTransport } from '#platform/outside/mail.server.ts';
import type { PictureCloud } from '#platform/outside/picture-cloud.server.ts';
import type { PictureInbox } from '#platform/outside/picture-inbox.server.ts';
import type { Role } from '#platform/shared/roles.ts';

export type Services = {
  database: Database;
  config: Config;
  clock: Clock;
  jobs: Jobs;
  files: FileStore;
  mail: MailTransport;
  /** A second place for pictures besides the file store. Null when none is connected. */
  pictureCloud: PictureCloud | null;
  /** The watched inbox of pictures. Null when none is configured. */
  pictureInbox: PictureInbox | null;
  /** Logs problems that an operator should look at although the caller got an answer. */
  log: Pick<Logger, 'warn'>;
};

/** Where a request comes from. */
export type Origin = { address: string; userAgent: string };

/** The caller, read from the database at most half a minute ago. */
export type Caller = {
  id: number;
  userName: string;
  fullName: string;
  roles: Role[];
  /** Empty for a program that calls with an API key. */
  sessionId: string;
  /** The API key with which a program calls on behalf of this user. */
  keyId?: number;
  /** Set for an API key that may change but not read the records of this call. It gets only ids, versions and what it sent. */
  mayOnlyWrite?: true;
  /** The regions that a salesQuoteManager manages. */
  regionIds: number[];
  /** The sales reps that a salessupport user supports. */
  supportedRepIds: number[];
  /** Colleagues who are absent today and whose approvals this user decides. */
  deputyFor: { id: number; fullName: string; roles: Role[]; regionIds: number[] }[];
  /** Where this request comes from. A job has none. */
  from?: Origin;
  /** Set while this user must change a temporary password. The server refuses every other call. */
  mustChangePassword: boolean;
  /** Set while this user must set up a required second factor. The server refuses every other call. */
  mustEnroll?: boolean;
};
