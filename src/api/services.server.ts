// What answers and jobs use besides their input: passed in, never imported, so that tests can run many servers side by side.
import type { Logger } from 'pino';
import type { Database } from '#db/database.server.ts';
import type { Jobs } from '#jobs/jobs.server.ts';
import type { Clock } from '#outside/clock.server.ts';
import type { Config } from '#outside/config.server.ts';
import type { FileStore } from '#outside/file-store.server.ts';
import type { MailTransport } from '#outside/mail.server.ts';
import type { PictureCloud } from '#outside/picture-cloud.server.ts';
import type { PictureInbox } from '#outside/picture-inbox.server.ts';
import type { Role } from '#shared/roles.ts';

export type Services = {
  database: Database;
  config: Config;
  clock: Clock;
  jobs: Jobs;
  files: FileStore;
  mail: MailTransport;
  /** Where pictures are kept besides the file store; null when none is connected. */
  pictureCloud: PictureCloud | null;
  /** The watched inbox of pictures; null when there is none. */
  pictureInbox: PictureInbox | null;
  /** For problems that somebody should look at although the caller got an answer. */
  log: Pick<Logger, 'warn'>;
};

/** The caller, as the database had it at most half a minute ago. */
export type Caller = {
  id: number;
  userName: string;
  fullName: string;
  roles: Role[];
  /** Empty for a program that calls by a key. */
  sessionId: string;
  /** The API key by which a program calls on behalf of this person. */
  keyId?: number;
  /** Regions a salesQuoteManager manages. */
  regionIds: number[];
  /** Sales reps a salessupport user supports. */
  supportedRepIds: number[];
  /** Colleagues who are away today and whose approvals this person decides. */
  deputyFor: { id: number; fullName: string; roles: Role[]; regionIds: number[] }[];
  /** Set while a temporary password must be changed: every other call is refused. */
  mustChangePassword: boolean;
  /** Set while a required second factor must be set up: every other call is refused. */
  mustEnroll?: boolean;
};
