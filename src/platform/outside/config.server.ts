// The configuration: the only code that reads the environment (design 1).
import path from 'node:path';
import { z } from 'zod';
import { isCrmAddress } from './crm-address.server.ts';
import { listOf, type Reach } from './reachable-address.server.ts';

const OnOff = z.stringbool().default(false).describe('true or false');
const Count = z.coerce.number().int();

/**
 * Every variable. Its description completes the sentence 'NAME must be …'. docs/configuration.md is generated from this: `means` says what it is for,
 * `unset` what applies if it is not set and the schema has no default.
 */
export const Environment = z.object({
  DEMO: z.string().optional(),
  PORT: Count.min(0)
    .max(65_535)
    .default(3000)
    .describe('a port number from 0 to 65535')
    .meta({ means: 'port that the server listens on' }),
  HOST: z
    .string()
    .optional()
    .meta({ means: 'address that the server listens on', unset: '`0.0.0.0`; demo and `npm run dev`: `127.0.0.1`' }),
  DATA_DIR: z
    .string()
    .default('.data')
    .meta({ means: 'folder for files, the mailbox, and the database if `DATABASE_URL` is not set' }),
  DATABASE_URL: z
    .string()
    .refine(isPostgres)
    .optional()
    .describe('an address such as postgres://user:password@host:5432/name')
    .meta({
      means: 'PostgreSQL 15 or newer; for a socket: `postgres://user@/name?host=/var/run/postgresql`',
      unset: 'a database in `DATA_DIR`',
    }),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .refine(isOrigin)
    .optional()
    .describe('an address such as https://quotes.example.com')
    .meta({ means: 'address that users open; used for links in emails and for passkeys', unset: 'required' }),
  TOKEN_SECRET: z.string().min(32).optional().describe('a random string of at least 32 characters').meta({
    means: 'signs sessions and encrypts stored secrets; the same for all processes (`openssl rand -hex 32`)',
    unset: 'required',
  }),
  TOKEN_SECRET_OTHER: z.string().min(32).optional().describe('a random string of at least 32 characters').meta({
    means:
      'second secret that is accepted while you change `TOKEN_SECRET`: [Changing secrets](operations.md#changing-secrets)',
  }),
  CLIENT_ID: z
    .string()
    .default('quoteboard-web')
    .meta({ means: 'client ID of the refresh call; every browser gets it' }),
  CLIENT_SECRET: z
    .string()
    .default('quoteboard-web')
    .meta({ means: 'client secret of the refresh call; not confidential, because every browser gets it' }),
  SMTP_URL: urlOf(/^smtps?$/)
    .describe('an address such as smtps://user:password@host:465')
    .meta({
      means: 'mail server; use `smtp://host:587` for STARTTLS',
      unset: 'required, or `MAIL=disk`',
    }),
  MAIL: z.literal('disk').optional().describe('disk or empty').meta({
    means:
      '`disk` instead of `SMTP_URL`, for trials: emails, including passwords and invitations, are saved in `DATA_DIR/mailbox` and not sent',
  }),
  MAIL_FROM: z
    .string()
    .refine(isSender)
    .default('Quoteboard <quotes@example.com>')
    .describe('one email address, optionally with a name: Quotes <quotes@example.com>')
    .meta({ means: 'sender of all emails' }),
  STORAGE_URL: z
    .string()
    .regex(/^(file:.|s3:\/\/.)/)
    .optional()
    .describe('file:/folder or s3://bucket/prefix?endpoint=…&region=…')
    .meta({
      means: 'storage for files and PDFs; `s3:` also needs `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`',
      unset: 'the folder `DATA_DIR/files`',
    }),
  CLOUDINARY_URL: z
    .string()
    .regex(/^cloudinary:\/\/[^:@/]+:[^@/]+@[^@/?]+/)
    .optional()
    .describe('cloudinary://key:secret@cloud')
    .meta({ means: 'also stores original pictures in Cloudinary' }),
  SALESFORCE_URL: urlOf(/^https?$/)
    .describe('an address such as https://company.my.salesforce.com')
    .meta({ means: 'connects Salesforce with client credentials; overrides Settings → Salesforce' }),
  SALESFORCE_CLIENT_ID: z
    .string()
    .optional()
    .meta({ means: 'client ID of the connected app; set all three `SALESFORCE_` variables or none' }),
  SALESFORCE_CLIENT_SECRET: z.string().optional().meta({ means: 'client secret of the connected app' }),
  CONFIGURATOR_URL: urlOf(/^https?$/)
    .describe('an address such as https://configurator.example.com/start')
    .meta({
      means:
        'configurator that quote boards link to, with `?quote=` and the quote number: [connecting](connect.md#a-configurator)',
    }),
  METRICS_TOKEN: z
    .string()
    .min(16)
    .optional()
    .describe('at least 16 characters')
    .meta({ means: 'token with which Prometheus reads `/metrics`; without it, `/metrics` exists only in the demo' }),
  API_DOCS: OnOff.meta({
    means: '`true` shows the API reference to everyone; otherwise only to signed-in users',
  }),
  OUTSIDE_LOOPBACK: OnOff.meta({
    means: '`true` allows connections without TLS to systems on the same computer, for trials',
  }),
  OUTSIDE_NETWORKS: z
    .string()
    .refine((text) => isNetworks(text))
    .optional()
    .describe('networks such as 10.1.0.0/16, 192.168.7.5')
    .meta({
      means:
        'private networks in which the CRM, the sign-in provider and webhook receivers are allowed, even without TLS',
    }),
  IMAGE_INBOX: z
    .string()
    .regex(/^(?!\w+:\/\/)|^s3:\/\/./)
    .optional()
    .describe('a folder or s3://bucket/prefix?endpoint=…&region=…')
    .meta({
      means:
        'folder that is watched for new item pictures: [operations](operations.md#pictures-the-watched-inbox-and-the-cloud)',
      unset: 'none; demo: `DATA_DIR/inbox`',
    }),
  IMPORT_INBOX: z
    .string()
    .regex(/^(?!\w+:\/\/)|^s3:\/\/./)
    .optional()
    .describe('a folder or s3://bucket/prefix?endpoint=…&region=…')
    .meta({
      means:
        'folder with the subfolders `items`, `prices`, …; new files in them are imported: [operations](operations.md#imports-from-a-watched-folder)',
      unset: 'none; demo: `DATA_DIR/imports`',
    }),
  ORDER_FOLDER: z
    .string()
    .regex(/^(?!\w+:\/\/)/)
    .optional()
    .describe('a folder')
    .meta({
      means: 'folder for orders of won quotes; turn it on in Settings → Orders for the ERP',
      unset: 'none; demo: `DATA_DIR/orders`',
    }),
  APP_TITLE: z.string().default('Quoteboard').meta({ means: 'name of the application' }),
  COMPANY_NAME: z
    .string()
    .default('Meridian Medical Supply')
    .meta({ means: 'name of the seller at the first start; afterwards, change it in Settings → Company' }),
  FIRST_ADMIN: z.email().optional().describe('an email address').meta({
    means:
      'system administrator to create at the first start on an empty database; a link to choose a password is printed and mailed',
  }),
  INTERNAL_SITE: OnOff.meta({ means: '`true` on the company’s internal site' }),
  MAP_TILES_URL: z
    .string()
    .refine(isTiles)
    .optional()
    .describe('an address such as https://tiles.example.com/{z}/{x}/{y}.png')
    .meta({ means: 'tile server for the background of the territory map; browsers load the tiles from it' }),
  MAP_TILES_CREDIT: z
    .string()
    .default('')
    .meta({ means: 'attribution of the tiles on the map, such as `© OpenStreetMap contributors`' }),
  GPO_TAB_HIDDEN_FOR: z
    .string()
    .optional()
    .meta({ means: 'user name of the one account that does not see the tab GPO Contracts' }),
  DEMO_PASSWORD: z.string().default('Quote-demo-1').meta({ means: 'password of the demo accounts' }),
  DEMO_SCALE: z.coerce
    .number()
    .positive()
    .default(1)
    .describe('a number above 0')
    .meta({ means: 'size of the demo company' }),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'])
    .default('info')
    .describe('fatal, error, warn, info, debug or silent')
    .meta({ means: 'lowest level of messages in the log' }),
  TRUST_PROXY: Count.min(0)
    .max(9)
    .default(0)
    .describe('the number of proxies in front of the server, 0 to 9')
    .meta({ means: 'number of trusted proxies; the caller’s address is read that far back in `X-Forwarded-For`' }),
  DRAIN_SECONDS: z.coerce.number().min(0).max(60).optional().describe('a number of seconds from 0 to 60').meta({
    means: 'how long the server keeps accepting requests during shutdown, while `/readyz` returns 503',
    unset: '`2`; demo: `0`',
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: urlOf(/^https?$/)
    .describe('an address such as http://collector:4318')
    .meta({ means: 'sends traces over OTLP/HTTP: a span for each call, statement and job' }),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .regex(/^\s*[^=,\s]+=[^,]*(,[^=,]+=[^,]*)*$/)
    .optional()
    .describe('name=value, name=value')
    .meta({ means: 'headers for the collector, such as an API key' }),
  OTEL_SERVICE_NAME: z.string().default('quoteboard').meta({ means: 'name of the service in traces' }),
  SECURITY_LOG_DAYS: Count.min(30)
    .max(3650)
    .default(400)
    .describe('a number of days from 30 to 3650')
    .meta({ means: 'how long entries of the security log are kept' }),
  RATE_LIMIT: Count.positive()
    .default(6000)
    .describe('a whole number above 0')
    .meta({ means: 'calls per minute from one address, for each process; a whole office may share an address' }),
});

/** All addresses of Quoteboard begin at the root of a host, so an address with a path or a query would break every link in emails. */
function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && url.href === `${url.origin}/`;
}

function isSender(text: string): boolean {
  const [, address = text] = /^(?:"[^"]*"\s*|[^<>",]*)<([^<>]*)>$/.exec(text.trim()) ?? [];
  return /^[^\s@<>,;]+@[^\s@<>,;]+$/.test(address);
}

function urlOf(protocol: RegExp) {
  return z.url({ protocol }).optional();
}

/** Returns whether this is an address of map tiles. Leaflet fills in zoom, column and row, and may choose among servers. */
function isTiles(text: string): boolean {
  return ['{z}', '{x}', '{y}'].every((part) => text.includes(part)) && originOfTiles(text) !== undefined;
}

/** Returns the origin of a tile address in the form of a content security policy: https://*.tiles.example.com. */
export function originOfTiles(address: string): string | undefined {
  const [, scheme, host] =
    /^(https?):\/\/(?:\{s\}\.)?([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d+)?)\//i.exec(address) ?? [];
  return scheme && host ? `${scheme}://${address.includes('://{s}.') ? '*.' : ''}${host}`.toLowerCase() : undefined;
}

/** Returns whether this is a PostgreSQL address. The URL class would refuse one with a socket folder in `?host=` and no host before the path. */
function isPostgres(text: string): boolean {
  return /^postgres(ql)?:\/\/./.test(text) && URL.canParse(text.replace('@/', '@socket/'));
}

export type Config = {
  /** Uses the demo company and a fixed token secret. Only for trying the product. */
  demo: boolean;
  port: number;
  host: string;
  dataDir: string;
  /** Undefined: the PostgreSQL from npm, with its data in `dataDir`. */
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
  /** A second place for pictures. Undefined: only the file store has them. */
  cloudinaryUrl: string | undefined;
  /** The Salesforce org that the environment configures. Undefined: the settings screen configures it. */
  salesforce: { address: string; clientId: string; clientSecret: string } | undefined;
  /** The address of the configurator. Boards link to it with their quote's number. */
  configuratorUrl: string | undefined;
  /** Who may read /metrics: callers with the token, or everyone if it is open, as in the demo. */
  metrics: { token: string | undefined; open: boolean };
  /** Shows the description of the API to everyone, not only to signed-in users. */
  apiDocsOpen: boolean;
  /** The addresses that users may enter for outside systems. */
  reach: Reach;
  /** The folder or s3:// prefix that the server watches for new pictures. */
  imageInbox: string | undefined;
  /** The folder or s3:// prefix whose subfolders receive new import files. Undefined: none. */
  importInbox: string | undefined;
  /** The folder that receives orders for the ERP. Undefined: none. */
  orderFolder: string | undefined;
  appTitle: string;
  companyName: string;
  /** The first start on an empty database makes this user a system administrator. */
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
  /** How many days an entry of the security log is kept. */
  securityLogDays: number;
  /** The collector that receives traces by OTLP/HTTP. Undefined: no traces. */
  traces: { endpoint: string; headers: Record<string, string>; serviceName: string } | undefined;
};

/** Reads and validates the environment. Throws an Error with a sentence that names what is missing or wrong. */
export function readConfig(
  environment: Record<string, string | undefined>,
  mode: 'production' | 'demo' | 'tool',
): Config {
  const variables = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = Environment.safeParse(variables);
  if (!parsed.success) {
    const names = new Set(parsed.error.issues.map((issue) => issue.path[0] as keyof typeof Environment.shape));
    const wrong = [...names].map((name) => `${name} must be ${Environment.shape[name].description}`);
    throw new Error(`Quoteboard cannot start: ${wrong.join('; ')}.`);
  }
  const env = parsed.data;
  if (mode === 'production') {
    const missing = (['PUBLIC_URL', 'TOKEN_SECRET'] as const).filter((name) => !env[name]);
    if (missing.length > 0)
      throw new Error(`Quoteboard cannot start: ${missing.join(', ')} must be set (see docs/configuration.md).`);
  }
  // The mailbox on disk contains passwords and invitations that were never sent, so it must be requested explicitly.
  if (mode === 'production' && !env.SMTP_URL && !env.MAIL)
    throw new Error(
      'Quoteboard cannot start: set SMTP_URL to your mail server. For a trial without one, set MAIL=disk: emails, including passwords and invitations, are then saved in DATA_DIR/mailbox and not sent.',
    );
  if (env.SMTP_URL && env.MAIL) throw new Error('Quoteboard cannot start: set SMTP_URL or MAIL=disk, not both.');
  const reach = { networks: networksOf(env.OUTSIDE_NETWORKS ?? ''), loopback: env.OUTSIDE_LOOPBACK };
  const salesforce = ['SALESFORCE_URL', 'SALESFORCE_CLIENT_ID', 'SALESFORCE_CLIENT_SECRET'] as const;
  const lacking = salesforce.filter((name) => !env[name]);
  if (lacking.length > 0 && lacking.length < salesforce.length)
    throw new Error(`Quoteboard cannot start: also set ${lacking.join(', ')}, or remove all SALESFORCE_ variables.`);
  if (env.SALESFORCE_URL && !isCrmAddress(env.SALESFORCE_URL, reach))
    throw new Error('Quoteboard cannot start: SALESFORCE_URL must begin with https:// and contain only a host name.');
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

function folderOf(folder: string | undefined): string | undefined {
  return folder === undefined ? undefined : path.resolve(folder);
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
