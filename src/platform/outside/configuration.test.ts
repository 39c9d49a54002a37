// Tests that docs/configuration.md lists the variables correctly; `npx vitest run src/platform/outside/configuration.test.ts -u` writes it from the
// code.
import path from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { Environment } from './config.server.ts';

const INTRODUCTION = `# Configuration

Quoteboard is configured with environment variables, which it reads once at startup. An empty variable counts as not set. If a variable is missing or invalid, the server does not start and names the variable, but not its value.
This page is generated from \`src/platform/outside/config.server.ts\`, and a test keeps it up to date.
`;

type Variable = keyof typeof Environment.shape;

/** Every variable except the switch that `npm run demo` sets, in the order in which an operator would look for them. */
const GROUPS: Record<string, Variable[]> = {
  Server: ['PUBLIC_URL', 'TOKEN_SECRET', 'SMTP_URL', 'MAIL', 'DATABASE_URL', 'DATA_DIR', 'FIRST_ADMIN'],
  Company: ['COMPANY_NAME', 'APP_TITLE', 'MAIL_FROM', 'INTERNAL_SITE', 'GPO_TAB_HIDDEN_FOR'],
  'Network and processes': ['PORT', 'HOST', 'TRUST_PROXY', 'RATE_LIMIT', 'DRAIN_SECONDS'],
  Files: ['STORAGE_URL', 'CLOUDINARY_URL', 'IMAGE_INBOX', 'IMPORT_INBOX', 'ORDER_FOLDER'],
  'Outside systems': [
    'OUTSIDE_NETWORKS',
    'OUTSIDE_LOOPBACK',
    'SALESFORCE_URL',
    'SALESFORCE_CLIENT_ID',
    'SALESFORCE_CLIENT_SECRET',
    'CONFIGURATOR_URL',
    'MAP_TILES_URL',
    'MAP_TILES_CREDIT',
  ],
  Monitoring: [
    'LOG_LEVEL',
    'METRICS_TOKEN',
    'SECURITY_LOG_DAYS',
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'OTEL_EXPORTER_OTLP_HEADERS',
    'OTEL_SERVICE_NAME',
  ],
  'Secrets and the API': ['TOKEN_SECRET_OTHER', 'API_DOCS', 'CLIENT_ID', 'CLIENT_SECRET'],
  Demo: ['DEMO_PASSWORD', 'DEMO_SCALE'],
};

it('docs/configuration.md matches the code, and every variable is in one group', async () => {
  const grouped: string[] = Object.values(GROUPS).flat();
  expect([...grouped, 'DEMO'].toSorted()).toEqual(Object.keys(Environment.shape).toSorted());
  const page = [
    INTRODUCTION,
    ...Object.entries(GROUPS).flatMap(([title, names]) => [
      `## ${title}\n`,
      row(['variable', 'meaning', 'value', 'default']),
      row(['---', '---', '---', '---']),
      ...names.map(rowOf),
      '',
    ]),
  ].join('\n');
  await expect(page).toMatchFileSnapshot(path.join(import.meta.dirname, '../../../docs/configuration.md'));
});

const Words = z.object({ means: z.string(), unset: z.string().optional() });
const Preset = z.union([z.string(), z.number(), z.boolean()]).optional();

function rowOf(name: Variable): string {
  const schema = Environment.shape[name];
  const { means, unset } = Words.parse(schema.meta());
  const preset = Preset.parse(schema.safeParse(undefined).data) ?? '';
  const value = schema.description ?? 'text';
  return row([`\`${name}\``, means, value, unset ?? (preset === '' ? 'none' : `\`${preset}\``)]);
}

const row = (cells: string[]) => `| ${cells.join(' | ')} |`;
