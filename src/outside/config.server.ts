// The configuration: the only code that reads the environment (design 1).
import path from 'node:path';
import { z } from 'zod';

const Environment = z.object({
  DEMO: z.string().optional(),
  PORT: z.coerce.number().int().min(0).max(65535).default(3000),
  HOST: z.string().optional(),
  DATA_DIR: z.string().default('.data'),
  DATABASE_URL: z.url().optional(),
  PUBLIC_URL: z.url().optional(),
  TOKEN_SECRET: z.string().min(32, 'needs at least 32 characters').optional(),
  CLIENT_ID: z.string().default('quoteboard-web'),
  CLIENT_SECRET: z.string().default('quoteboard-web'),
  SMTP_URL: z.url().optional(),
  MAIL_FROM: z.string().default('Quoteboard <quotes@example.com>'),
  STORAGE_URL: z.string().optional(),
  APP_TITLE: z.string().default('Quoteboard'),
  COMPANY_NAME: z.string().default('Meridian Medical Supply'),
  INTERNAL_SITE: z.stringbool().default(false),
  GPO_TAB_HIDDEN_FOR: z.string().optional(),
  DEMO_PASSWORD: z.string().default('Quote-demo-1'),
  DEMO_SCALE: z.coerce.number().positive().default(1),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
  TRUST_PROXY: z.stringbool().default(false),
  RATE_LIMIT: z.coerce.number().int().positive().default(1200),
});

export type Config = {
  /** The embedded database, the demo company, a fixed token secret: for trying only. */
  demo: boolean;
  port: number;
  host: string;
  dataDir: string;
  databaseUrl: string | undefined;
  publicUrl: string;
  tokenSecret: string;
  clientId: string;
  clientSecret: string;
  smtpUrl: string | undefined;
  mailFrom: string;
  storageUrl: string;
  appTitle: string;
  companyName: string;
  internalSite: boolean;
  gpoTabHiddenFor: string | undefined;
  demoPassword: string;
  demoScale: number;
  logLevel: string;
  /** Behind a proxy: the caller's address is read from X-Forwarded-For. */
  trustProxy: boolean;
  /** Calls per address and minute. */
  rateLimit: number;
};

/** Reads and checks the environment. Throws an Error whose message names, in a sentence, what is missing or wrong. */
export function readConfig(environment: Record<string, string | undefined>, mode: 'production' | 'demo' | 'tool'): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = Environment.safeParse(given);
  if (!parsed.success) {
    const wrong = parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`);
    throw new Error(`The configuration is not valid: ${wrong.join('; ')}.`);
  }
  const env = parsed.data;
  if (mode === 'production') {
    const missing = (['DATABASE_URL', 'PUBLIC_URL', 'TOKEN_SECRET'] as const).filter((name) => !env[name]);
    if (missing.length > 0) throw new Error(`Quoteboard cannot start: ${missing.join(', ')} must be set (see README, Configuration).`);
  }
  const dataDir = path.resolve(env.DATA_DIR);
  return {
    demo: mode === 'demo',
    port: env.PORT,
    host: env.HOST ?? (mode === 'production' ? '0.0.0.0' : '127.0.0.1'),
    dataDir,
    databaseUrl: env.DATABASE_URL,
    publicUrl: (env.PUBLIC_URL ?? `http://localhost:${env.PORT}`).replace(/\/$/, ''),
    tokenSecret: env.TOKEN_SECRET ?? 'only-for-the-demo-not-a-secret-at-all-000',
    clientId: env.CLIENT_ID,
    clientSecret: env.CLIENT_SECRET,
    smtpUrl: env.SMTP_URL,
    mailFrom: env.MAIL_FROM,
    storageUrl: env.STORAGE_URL ?? `file:${path.join(dataDir, 'files')}`,
    appTitle: env.APP_TITLE,
    companyName: env.COMPANY_NAME,
    internalSite: env.INTERNAL_SITE,
    gpoTabHiddenFor: env.GPO_TAB_HIDDEN_FOR,
    demoPassword: env.DEMO_PASSWORD,
    demoScale: env.DEMO_SCALE,
    logLevel: env.LOG_LEVEL,
    trustProxy: env.TRUST_PROXY,
    rateLimit: env.RATE_LIMIT,
  };
}
