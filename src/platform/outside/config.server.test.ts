// Tests that the configuration is read and validated once, and that one sentence names what is wrong, never its value.
import { describe, expect, it } from 'vitest';
import { originOfTiles, readConfig } from './config.server.ts';

const production = {
  DATABASE_URL: 'postgres://app:pass@db:5432/quotes',
  PUBLIC_URL: 'https://quotes.example.com/',
  TOKEN_SECRET: 'x'.repeat(32),
  SMTP_URL: 'smtps://mailer:password@mail.example.com:465',
};

describe('production', () => {
  it('needs its three variables, an empty one counting as none', () => {
    expect(() => readConfig({ ...production, TOKEN_SECRET: '' }, 'production')).toThrow(
      'Quoteboard cannot start: TOKEN_SECRET must be set (see docs/configuration.md).',
    );
    expect(readConfig(production, 'production')).toMatchObject({
      demo: false,
      host: '0.0.0.0',
      port: 3000,
      publicUrl: 'https://quotes.example.com',
      storageUrl: expect.stringMatching(/^file:\/.*\.data\/files$/) as string,
      trustProxy: 0,
      internalSite: false,
    });
  });

  it('needs a mail server, or a word that mail goes to disk; never both', () => {
    const { SMTP_URL, ...silent } = production;
    expect(() => readConfig(silent, 'production')).toThrow(
      'Quoteboard cannot start: set SMTP_URL to your mail server. For a trial without one, set MAIL=disk: emails, including passwords and invitations, are then saved in DATA_DIR/mailbox and not sent.',
    );
    expect(readConfig({ ...silent, MAIL: 'disk' }, 'production').smtpUrl).toBeUndefined();
    expect(() => readConfig({ ...silent, SMTP_URL, MAIL: 'disk' }, 'production')).toThrow(
      'Quoteboard cannot start: set SMTP_URL or MAIL=disk, not both.',
    );
    for (const mode of ['demo', 'tool'] as const) expect(readConfig({}, mode).smtpUrl).toBeUndefined();
  });

  it.each([
    ['PORT', '65536', 'a port number from 0 to 65535'],
    ['PORT', 'http', 'a port number from 0 to 65535'],
    ['DATABASE_URL', 'mysql://db', 'an address such as postgres://user:password@host:5432/name'],
    ['PUBLIC_URL', 'quotes.example.com', 'an address such as https://quotes.example.com'],
    ...['/app', '/?x=1', '/#a'].map((more) => [
      'PUBLIC_URL',
      `https://quotes.example.com${more}`,
      'an address such as https://quotes.example.com',
    ]),
    ...['nobody', 'A <a@b.example>, c@d.example', 'a@b.example, c@d.example', 'Quotes <>', 'Quotes a@b.example'].map(
      (sender) => ['MAIL_FROM', sender, 'one email address, optionally with a name: Quotes <quotes@example.com>'],
    ),
    ['TOKEN_SECRET', 'short-secret', 'a random string of at least 32 characters'],
    ['SMTP_URL', 'mail.example.com', 'an address such as smtps://user:password@host:465'],
    ['MAIL', 'file', 'disk or empty'],
    ['STORAGE_URL', '/var/files', 'file:/folder or s3://bucket/prefix?endpoint=…&region=…'],
    ['INTERNAL_SITE', 'maybe', 'true or false'],
    [
      'MAP_TILES_URL',
      'https://tiles.example.com/all.png',
      'an address such as https://tiles.example.com/{z}/{x}/{y}.png',
    ],
    ['LOG_LEVEL', 'loud', 'fatal, error, warn, info, debug or silent'],
    ['TRUST_PROXY', 'true', 'the number of proxies in front of the server, 0 to 9'],
    ['RATE_LIMIT', '0', 'a whole number above 0'],
    ['DEMO_SCALE', '-1', 'a number above 0'],
  ])('refuses %s=%s', (name, value, words) => {
    const start = () => readConfig({ ...production, [name]: value }, 'production');
    expect(start).toThrow(new Error(`Quoteboard cannot start: ${name} must be ${words}.`));
  });

  it.each([
    'postgres://app@/quotes?host=/var/run/postgresql',
    'postgresql://app@%2Fvar%2Frun%2Fpostgresql/quotes',
    'postgres:///quotes?host=/var/run/postgresql',
  ])('takes a database by its socket: %s', (databaseUrl) => {
    expect(readConfig({ ...production, DATABASE_URL: databaseUrl }, 'production')).toMatchObject({ databaseUrl });
  });

  it.each(['quotes@example.com', 'Quotes & Co. <quotes@example.com>', '"Quotes, Inc." <quotes@localhost>'])(
    'takes the sender %s',
    (mailFrom) => {
      expect(readConfig({ ...production, MAIL_FROM: mailFrom }, 'production')).toMatchObject({ mailFrom });
    },
  );

  it('names all that is wrong, each once', () => {
    const start = () => readConfig({ ...production, PORT: '-1.5', LOG_LEVEL: 'x' }, 'production');
    expect(start).toThrow(/^Quoteboard cannot start: PORT must be [^;]+; LOG_LEVEL must be [^;]+\.$/);
  });
});

it('of a demo needs nothing and keeps to this machine', () => {
  expect(readConfig({}, 'demo')).toMatchObject({
    demo: true,
    host: '127.0.0.1',
    publicUrl: 'http://localhost:3000',
    databaseUrl: undefined,
    demoPassword: 'Quote-demo-1',
  });
});

it('names the origin of tiles as a policy has it, and nothing that would widen the policy', () => {
  expect(originOfTiles('https://tiles.example.com/a/{z}/{x}/{y}.png')).toBe('https://tiles.example.com');
  expect(originOfTiles('https://{s}.tiles.example.com/{z}/{x}/{y}.png')).toBe('https://*.tiles.example.com');
  expect(originOfTiles('http://127.0.0.1:8080/{z}/{x}/{y}')).toBe('http://127.0.0.1:8080');
  for (const address of [
    'https://*/{z}',
    'https://a b/{z}',
    "https://x;script-src 'unsafe-inline'/{z}",
    '//x/{z}',
    'data:{z}',
  ])
    expect(originOfTiles(address)).toBeUndefined();
});
