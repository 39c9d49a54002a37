// The configuration: the only code that reads the environment (design 1).
import path from 'node:path';
import { z } from 'zod';
import { isCrmAddress } from './crm-address.server.ts';
import { listOf, type Reach } from './reachable-address.server.ts';

const OnOff = z.stringbool().default(false).describe('true or false');
const Count = z.coerce.number().int();

/** Every variable. Its description completes the sentence 'NAME must be …'. */
const Environment = z.object({
  DEMO: z.string().optional(),
  PORT: Count.min(0).max(65_535).default(3000).describe('a port number from 0 to 65535'),
  HOST: z.string().optional(),
  DATA_DIR: z.string().default('.data'),
  DATABASE_URL: z
    .string()
    .refine(isPostgres)
    .optional()
    .describe('an address such as postgres://user:password@host:5432/name'),
  PUBLIC_URL: urlOf(/^https?$/).describe('an address such as https://quotes.example.com'),
  TOKEN_SECRET: z.string().min(32).optional().describe('a random text of at least 32 characters'),
  TOKEN_SECRET_OTHER: z.string().min(32).optional().describe('a random text of at least 32 characters'),
  CLIENT_ID: z.string().default('quoteboard-web'),
  CLIENT_SECRET: z.string().default('quoteboard-web'),
  SMTP_URL: urlOf(/^smtps?$/).describe('an address such as smtps://user:password@host:465'),
  MAIL: z.literal('disk').optional().describe('disk, or left out'),
  MAIL_FROM: z.string().default('Quoteboard <quotes@example.com>'),
  STORAGE_URL: z
    .string()
    .regex(/^(file:.|s3:\/\/.)/)
    .optional()
    .describe('file:/folder or s3://bucket/prefix?endpoint=…&region=…'),
  CLOUDINARY_URL: z
    .string()
    .regex(/^cloudinary:\/\/[^:@/]+:[^@/]+@[^@/?]+/)
    .optional()
    .describe('cloudinary://key:secret@cloud'),
  SALESFORCE_URL: urlOf(/^https?$/).describe('an address such as https://company.my.salesforce.com'),
  SALESFORCE_CLIENT_ID: z.string().optional(),
  SALESFORCE_CLIENT_SECRET: z.string().optional(),
  CONFIGURATOR_URL: urlOf(/^https?$/).describe('an address such as https://configurator.example.com/start'),
  METRICS_TOKEN: z.string().min(16).optional().describe('at least 16 characters'),
  API_DOCS: OnOff,
  OUTSIDE_LOOPBACK: OnOff,
  OUTSIDE_NETWORKS: z
    .string()
    .refine((text) => isNetworks(text))
    .optional()
    .describe('networks such as 10.1.0.0/16, 192.168.7.5'),
  IMAGE_INBOX: z
    .string()
    .regex(/^(?!\w+:\/\/)|^s3:\/\/./)
    .optional()
    .describe('a folder or s3://bucket/prefix?endpoint=…&region=…'),
  IMPORT_INBOX: z
    .string()
    .regex(/^(?!\w+:\/\/)|^s3:\/\/./)
    .optional()
    .describe('a folder or s3://bucket/prefix?endpoint=…&region=…'),
  ORDER_FOLDER: z
    .string()
    .regex(/^(?!\w+:\/\/)/)
    .optional()
    .describe('a folder'),
  APP_TITLE: z.string().default('Quoteboard'),
  COMPANY_NAME: z.string().default('Meridian Medical Supply'),
  FIRST_ADMIN: z.email().optional().describe('an email address'),
  INTERNAL_SITE: OnOff,
  MAP_TILES_URL: z
    .string()
    .refine(isTiles)
    .optional()
    .describe('an address such as https://tiles.example.com/{z}/{x}/{y}.png'),
  MAP_TILES_CREDIT: z.string().default(''),
  GPO_TAB_HIDDEN_FOR: z.string().optional(),
  DEMO_PASSWORD: z.string().default('Quote-demo-1'),
  DEMO_SCALE: z.coerce.number().positive().default(1).describe('a number above 0'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'])
    .default('info')
    .describe('fatal, error, warn, info, debug or silent'),
  TRUST_PROXY: Count.min(0).max(9).default(0).describe('the number of proxies in front of the server, 0 to 9'),
  DRAIN_SECONDS: z.coerce.number().min(0).max(60).optional().describe('a number of seconds from 0 to 60'),
  OTEL_EXPORTER_OTLP_ENDPOINT: urlOf(/^https?$/).describe('an address such as http://collector:4318'),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .regex(/^\s*[^=,\s]+=[^,]*(,[^=,]+=[^,]*)*$/)
    .optional()
    .describe('name=value, name=value'),
  OTEL_SERVICE_NAME: z.string().default('quoteboard'),
  SECURITY_LOG_DAYS: Count.min(30).max(3650).default(400).describe('a number of days from 30 to 3650'),
  RATE_LIMIT: Count.positive().default(6000).describe('a whole number above 0'),
});

/** The names of all variables. */
export const VARIABLES: readonly string[] = Object.keys(Environment.shape);

function urlOf(protocol: RegExp) {
  return z.url({ protocol }).optional();
}

/** Whether this is an address of map tiles. Leaflet fills in zoom, column and row, and may choose among servers. */
function isTiles(text: string): boolean {
  return ['{z}', '{x}', '{y}'].every((part) => text.includes(part)) && originOfTiles(text) !== undefined;
}

/** The origin of a tile address, written as in a content security policy: https://*.tiles.example.com. */
export function originOfTiles(address: string): string | undefined {
  const [, scheme, host] =
    /^(https?):\/\/(?:\{s\}\.)?([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d+)?)\//i.exec(address) ?? [];
  return scheme && host ? `${scheme}://${address.includes('://{s}.') ? '*.' : ''}${host}`.toLowerCase() : undefined;
}

/** Whether this is a PostgreSQL address. The URL class would refuse one with a socket folder in `?host=` and no host before the path. */
function isPostgres(text: string): boolean {
  return /^postgres(ql)?:\/\/./.test(text) && URL.canParse(text.replace('@/', '@socket/'));
}

export type Config = {
  /** Uses the demo company and a fixed token secret. For trying the product only. */
  demo: boolean;
  port: number;
  host: string;
  dataDir: string;
  /** Undefined: the PostgreSQL that npm brings, with its data in `dataDir`. */
  databaseUrl: string | undefined;
  publicUrl: string;
  tokenSecret: string;
  /** A second secret that is also accepted while the secrets change. It never signs or seals. */
  otherTokenSecret: string | undefined;
  clientId: string;
  clientSecret: string;
  smtpUrl: string | undefined;
  mailFrom: string;
  storageUrl: string;
  /** A second place for pictures. Undefined: the file store alone keeps them. */
  cloudinaryUrl: string | undefined;
  /** The Salesforce org that the environment connects. Undefined: the settings screen decides. */
  salesforce: { address: string; clientId: string; clientSecret: string } | undefined;
  /** The address of the configurator. Boards link to it with their quote's number. */
  configuratorUrl: string | undefined;
  /** Who may read /metrics: whoever sends the token, or everybody where it is open, as in the demo. */
  metrics: { token: string | undefined; open: boolean };
  /** Shows the description of the API to everybody, not only to people who are signed in. */
  apiDocsOpen: boolean;
  /** Where outside systems may be that people name on screens. */
  reach: Reach;
  /** The folder or s3:// prefix that the server watches for new pictures. */
  imageInbox: string | undefined;
  /** The folder or s3:// prefix whose subfolders receive new import files. Undefined: none. */
  importInbox: string | undefined;
  /** The folder that receives orders for the ERP. Undefined: none. */
  orderFolder: string | undefined;
  appTitle: string;
  companyName: string;
  /** The first start on an empty database makes this person a system administrator. */
  firstAdmin: string | undefined;
  internalSite: boolean;
  /** Street map tiles from another server, shown behind the territories. Undefined: none. */
  mapTiles: { url: string; credit: string } | undefined;
  gpoTabHiddenFor: string | undefined;
  demoPassword: string;
  demoScale: number;
  logLevel: string;
  /** The number of proxies in front of the server: the caller's address is that far back in X-Forwarded-For. */
  trustProxy: number;
  /** How long a stopping server keeps accepting requests while /readyz already answers 503. */
  drainSeconds: number;
  /** Calls per address and minute. A whole office may share one address. */
  rateLimit: number;
  /** How long a line of the security log is kept. */
  securityLogDays: number;
  /** The collector that receives traces by OTLP/HTTP. Undefined: no traces. */
  traces: { endpoint: string; headers: Record<string, string>; serviceName: string } | undefined;
};

/** Reads and checks the environment. Throws an Error whose message names, in a sentence, what is missing or wrong. */
export function readConfig(
  environment: Record<string, string | undefined>,
  mode: 'production' | 'demo' | 'tool',
): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = Environment.safeParse(given);
  if (!parsed.success) {
    const names = new Set(parsed.error.issues.map((issue) => issue.path[0] as keyof typeof Environment.shape));
    const wrong = [...names].map((name) => `${name} must be ${Environment.shape[name].description}`);
    throw new Error(`Quoteboard cannot start: ${wrong.join('; ')}.`);
  }
  const env = parsed.data;
  if (mode === 'production') {
    const missing = (['PUBLIC_URL', 'TOKEN_SECRET'] as const).filter((name) => !env[name]);
    if (missing.length > 0)
      throw new Error(`Quoteboard cannot start: ${missing.join(', ')} must be set (see Configuration in README.md).`);
  }
  // On disk lie passwords and invitations that were never sent, so only somebody who wants that gets it.
  if (mode === 'production' && !env.SMTP_URL && !env.MAIL)
    throw new Error(
      'Quoteboard cannot start: SMTP_URL must name the mail server. For a trial without one set MAIL=disk; mails, also those with passwords and invitations, are then put into DATA_DIR/mailbox and reach nobody.',
    );
  if (env.SMTP_URL && env.MAIL) throw new Error('Quoteboard cannot start: set SMTP_URL or MAIL=disk, not both.');
  const reach = { networks: networksOf(env.OUTSIDE_NETWORKS ?? ''), loopback: env.OUTSIDE_LOOPBACK };
  const salesforce = ['SALESFORCE_URL', 'SALESFORCE_CLIENT_ID', 'SALESFORCE_CLIENT_SECRET'] as const;
  const lacking = salesforce.filter((name) => !env[name]);
  if (lacking.length > 0 && lacking.length < salesforce.length)
    throw new Error(`Quoteboard cannot start: ${lacking.join(', ')} must be set too, or none of them.`);
  if (env.SALESFORCE_URL && !isCrmAddress(env.SALESFORCE_URL, reach))
    throw new Error('Quoteboard cannot start: SALESFORCE_URL must begin with https:// and name a host alone.');
  const dataDir = path.resolve(env.DATA_DIR);
  return {
    demo: mode === 'demo',
    port: env.PORT,
    host: env.HOST ?? (mode === 'production' ? '0.0.0.0' : '127.0.0.1'),
    dataDir,
    databaseUrl: env.DATABASE_URL,
    publicUrl: (env.PUBLIC_URL ?? `http://localhost:${env.PORT}`).replace(/\/$/, ''),
    tokenSecret: env.TOKEN_SECRET ?? 'only-for-the-demo-not-a-secret-at-all-000',
    otherTokenSecret: env.TOKEN_SECRET_OTHER,
    clientId: env.CLIENT_ID,
    clientSecret: env.CLIENT_SECRET,
    smtpUrl: env.SMTP_URL,
    mailFrom: env.MAIL_FROM,
    storageUrl: env.STORAGE_URL ?? `file:${path.join(dataDir, 'files')}`,
    cloudinaryUrl: env.CLOUDINARY_URL,
    salesforce: env.SALESFORCE_URL
      ? {
          address: env.SALESFORCE_URL,
          clientId: env.SALESFORCE_CLIENT_ID ?? '',
          clientSecret: env.SALESFORCE_CLIENT_SECRET ?? '',
        }
      : undefined,
    configuratorUrl: env.CONFIGURATOR_URL,
    reach,
    metrics: { token: env.METRICS_TOKEN, open: mode !== 'production' && !env.METRICS_TOKEN },
    apiDocsOpen: mode !== 'production' || env.API_DOCS,
    imageInbox: env.IMAGE_INBOX ?? (mode === 'demo' ? path.join(dataDir, 'inbox') : undefined),
    importInbox: env.IMPORT_INBOX ?? (mode === 'demo' ? path.join(dataDir, 'imports') : undefined),
    orderFolder: folderOf(env.ORDER_FOLDER) ?? (mode === 'demo' ? path.join(dataDir, 'orders') : undefined),
    appTitle: env.APP_TITLE,
    companyName: env.COMPANY_NAME,
    firstAdmin: env.FIRST_ADMIN,
    internalSite: env.INTERNAL_SITE,
    mapTiles: env.MAP_TILES_URL ? { url: env.MAP_TILES_URL, credit: env.MAP_TILES_CREDIT } : undefined,
    gpoTabHiddenFor: env.GPO_TAB_HIDDEN_FOR,
    demoPassword: env.DEMO_PASSWORD,
    demoScale: env.DEMO_SCALE,
    logLevel: env.LOG_LEVEL,
    trustProxy: env.TRUST_PROXY,
    drainSeconds: env.DRAIN_SECONDS ?? (mode === 'production' ? 2 : 0),
    rateLimit: env.RATE_LIMIT,
    securityLogDays: env.SECURITY_LOG_DAYS,
    traces: env.OTEL_EXPORTER_OTLP_ENDPOINT
      ? {
          endpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT,
          headers: headersOf(env.OTEL_EXPORTER_OTLP_HEADERS ?? ''),
          serviceName: env.OTEL_SERVICE_NAME,
        }
      : undefined,
  };
}

function networksOf(text: string): string[] {
  return text.split(/[\s,]+/).filter(Boolean);
}

function isNetworks(text: string): boolean {
  try {
    listOf(networksOf(text));
    return true;
  } catch {
    return false;
  }
}

function folderOf(given: string | undefined): string | undefined {
  return given === undefined ? undefined : path.resolve(given);
}

/** Parses 'name=value,name=value' with URL-encoded values. */
function headersOf(text: string): Record<string, string> {
  const pairs = text.split(',').filter((pair) => pair.trim() !== '');
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      return [pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())];
    }),
  );
}
