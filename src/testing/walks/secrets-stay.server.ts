// Secrets that the server is given or keeps: no call answers one, in data, files and errors alike, and no line of the log has one.
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hashPassword } from '#platform/auth/passwords/password.server.ts';
import { newSecret } from '#platform/auth/second-factor/totp.server.ts';
import { sealedFor } from '#platform/auth/second-factor/stored-factor.server.ts';
import { sealSecret } from '#addons/webhooks/secrets.server.ts';
import { openPictureCloud } from '#platform/outside/picture-cloud.server.ts';
import { seal } from '#platform/outside/sealed.server.ts';
import { exampleInput } from '../example-input.ts';
import { aUser } from '../factories/people.server.ts';
import type { TestServer } from '../test-server.server.ts';
import { calls, type Company } from './company.server.ts';

const CLOUD = 'cloudinary://4711:planted-cloud-secret@cloud';
const PASSWORD = 'planted horse battery staple';
/** In the paths of folders that the configuration names. The log may say them, a screen says the setting. */
const FOLDER = 'where-the-files-lie';

/** The fast walk makes each call once, with every field filled in; the whole one also with an id alone and with nothing. */
export function walkSecrets(company: () => Company, { isWhole }: { isWhole: boolean }): void {
  /** What must be nowhere: what was planted, and each form in which the database keeps it. */
  const secrets = new Set(['planted']);
  let server: TestServer;
  let admin: number;
  let answered = 0;
  /** Again before each call: one of them may have disconnected it. */
  let plant: () => Promise<void>;

  beforeAll(async () => {
    ({ server } = company());
    server.services.config.cloudinaryUrl = CLOUD;
    server.services.pictureCloud = openPictureCloud(CLOUD, () => new Date());
    for (const setting of ['importInbox', 'imageInbox', 'orderFolder'] as const)
      server.services.config[setting] = `/nowhere/${FOLDER}/${setting}`;
    const { db, services } = server;
    admin = (await aUser(db, { roles: ['systemadmin'] })).id;
    const stored = {
      password: await hashPassword(PASSWORD, { memory: 8, passes: 1 }),
      crm: seal(services.config, 'crm', 'planted CRM secret'),
      provider: seal(services.config, 'sign-on', 'planted client secret'),
      factor: newSecret(),
      recovery: 'planted-digest-of-a-recovery-code',
      key: 'planted-digest-of-a-key',
    };
    await db.updateTable('app_user').set({ password_hash: stored.password }).execute();
    plant = async () => {
      await db
        .updateTable('crm_connection')
        .set({ address: 'https://company.my.salesforce.com', client_id: 'us', secret: stored.crm })
        .execute();
      await db
        .updateTable('sign_on_provider')
        .set({ issuer: 'https://login.example.com', client_id: 'us', secret: stored.provider })
        .execute();
    };
    const hook = await db
      .insertInto('webhook_endpoint')
      .values({ address: 'https://example.com/', description: 'ERP', events: [] })
      .returning('id')
      .executeTakeFirstOrThrow();
    const sealedHook = sealSecret(services, hook.id, 'whsec_planted');
    await db.updateTable('webhook_endpoint').set({ secret: sealedHook, old_secret: sealedHook }).execute();
    const sealedFactor = seal(services.config, sealedFor(admin), stored.factor);
    await db.insertInto('second_factor').values({ user_id: admin, secret: sealedFactor, since: new Date() }).execute();
    await db.insertInto('recovery_code').values({ user_id: admin, code_hash: stored.recovery }).execute();
    for (const secret of [...Object.values(stored), sealedHook, sealedFactor]) secrets.add(secret);
  });
  beforeEach(async () => {
    // And one may have ended the session.
    server.setNow(null);
    await plant();
  });

  const secretsIn = (text: string) => [...secrets].filter((secret) => text.includes(secret));

  describe.each(calls)('%s', (_name, endpoint) => {
    it('answers no secret, whatever it is asked', async () => {
      const values = { id: 1, ids: [1], page: 1, pageSize: 20 };
      const inputs = [exampleInput(endpoint, values), { id: admin }, {}];
      for (const input of isWhole ? inputs : inputs.slice(0, 1)) {
        const { status, bytes } = await server.call(endpoint, input, { as: admin });
        if (status === 200) answered++;
        expect(secretsIn(String(bytes))).toEqual([]);
        expect(String(bytes)).not.toContain(FOLDER);
      }
    });
  });

  it('calls were answered', () => {
    expect(answered).toBeGreaterThan(isWhole ? 150 : 50);
  });

  it('no line of the log has one', () => {
    const { log } = company();
    expect(log.length).toBeGreaterThan(calls.length);
    expect(log.filter((line) => secretsIn(line).length > 0)).toEqual([]);
  });
}
