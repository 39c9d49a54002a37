// Tests passwords over HTTP: temporary ones by mail, and changes by users who know the current one.
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PASSWORD, signIns } from '#testing/sign-ins.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { Auth } from '../auth.contract.ts';

let server: TestServer;
const { aPerson, signIn, refresh, callWith, from, pass, fromElsewhere } = signIns(() => server);

beforeAll(async () => {
  server = await startTestServer({ config: { trustProxy: 1 } });
});
afterAll(() => server.close());
beforeEach(fromElsewhere);

describe('temporary passwords', () => {
  /** Requests a reset and returns the mailed password. */
  async function reset(userName: string): Promise<string> {
    await server.drain();
    const before = server.mails.length;
    expect(await server.ok(Auth.ResetPassword, { email: userName })).toBe('successful');
    await server.drain();
    const mail = server.mails[before];
    expect(mail?.to).toEqual([userName.toLowerCase()]);
    return /^ {4}(\S+)$/m.exec(mail?.text ?? '')?.[1] ?? '';
  }

  it('are mailed, work once, and must be changed before anything else; the old one works until then', async () => {
    const user = await aPerson();
    const temporary = await reset(user.userName.toUpperCase());
    expect(temporary).toMatch(/^(?:[A-Z2-9]{4}-){3}[A-Z2-9]{4}$/);
    expect((await signIn(user.userName)).status).toBe(200);
    const { body } = await signIn(user.userName, ` ${temporary.toLowerCase()} `);
    const headers = { authorization: `Bearer ${body.access_token}` };
    expect((await signIn(user.userName, temporary)).status).toBe(400);
    const refused = await callWith(body.access_token);
    expect(refused.status).toBe(403);
    expect(refused.body).toMatchObject({ detail: 'Change your temporary password first.' });
    expect((await server.call(Auth.GetSignedInUser, {}, { headers })).body.mustChangePassword).toBe(true);
    expect((await signIn(user.userName)).status).toBe(200);

    expect((await server.call(Auth.ChangePassword, { newPassword: 'a whole new password' }, { headers })).status).toBe(
      200,
    );
    expect((await callWith(body.access_token)).status).toBe(200);
    expect((await signIn(user.userName)).status).toBe(400);
    expect((await signIn(user.userName, temporary)).status).toBe(400);
    expect((await signIn(user.userName, 'a whole new password')).status).toBe(200);
  });

  it('expire after 30 minutes', async () => {
    const user = await aPerson();
    const temporary = await reset(user.userName);
    pass(1801);
    expect((await signIn(user.userName, temporary)).status).toBe(400);
  });

  it('let in a person who was locked out by the guesses of others, in the same office too', async () => {
    const user = await aPerson();
    for (let i = 0; i < 6; i++) await signIn(user.userName, 'wrong', from(250));
    for (let i = 0; i < 21; i++) await signIn(`nobody${i}@example.com`, 'wrong');
    expect((await signIn(user.userName)).status).toBe(429);
    const temporary = await reset(user.userName);
    expect((await signIn(user.userName, temporary)).status).toBe(200);
    // The address is still blocked for everyone else.
    expect((await signIn((await aPerson()).userName)).status).toBe(429);
  });

  it('are good for their half hour although a second one was mailed, and void once one was used', async () => {
    const user = await aPerson();
    const first = await reset(user.userName);
    pass(1200);
    const second = await reset(user.userName);
    expect(second).not.toBe(first);
    const { body } = await signIn(user.userName, first);
    expect((await signIn(user.userName, second)).status).toBe(400);
    expect((await signIn(user.userName, first)).status).toBe(400);
    // The one that was used to sign in is the current password until a new one is chosen.
    const headers = { authorization: `Bearer ${body.access_token}` };
    const change = (newPassword: string) =>
      server.call(Auth.ChangePassword, { currentPassword: first, newPassword }, { headers });
    expect((await change(first)).status).toBe(422);
    expect((await change('a whole new password')).status).toBe(200);
    const third = await reset(user.userName);
    pass(1000);
    await reset(user.userName);
    pass(801);
    expect((await signIn(user.userName, third)).status).toBe(400);
  });

  it('are not mailed to unknown or deactivated people, who get the same answer, nor twice within a minute', async () => {
    const inactive = await aPerson({ active: false });
    const user = await aPerson();
    const before = server.mails.length;
    for (const email of ['unknown@example.com', inactive.userName, user.userName, user.userName]) {
      expect(await server.ok(Auth.ResetPassword, { email })).toBe('successful');
    }
    await server.drain();
    expect(server.mails.slice(before).map(({ to }) => to)).toEqual([[user.userName]]);
    pass(61);
    await reset(user.userName);
  });

  it('write the same for known and unknown addresses, and leave nothing of it for an unknown one', async () => {
    const [user, inactive] = [await aPerson(), await aPerson({ active: false })];
    // A sequence also advances for rows that are rolled back.
    const written = async () => {
      const { rows } = await sql<{ mails: number; left: number }>`
        select (select last_value::int from mail_id_seq) as mails, (select count(*)::int from mail) as left`.execute(
        server.db,
      );
      return rows[0] ?? { mails: 0, left: 0 };
    };
    const costs: [mails: number, left: number][] = [];
    for (const email of [user.userName, 'unknown@example.com', inactive.userName, user.userName]) {
      const before = await written();
      await server.ok(Auth.ResetPassword, { email });
      await server.drain();
      const after = await written();
      costs.push([after.mails - before.mails, after.left - before.left]);
    }
    expect(costs).toEqual([
      [1, 1],
      [1, 0],
      [1, 0],
      [1, 0],
    ]);
    expect(await server.services.jobs.count()).not.toHaveProperty('failed');
  });

  it('leave the outbox once they are sent', async () => {
    const user = await aPerson();
    const temporary = await reset(user.userName);
    const bodies = await server.db.selectFrom('mail').select('body').execute();
    expect(bodies.some(({ body }) => body.includes(temporary))).toBe(false);
  });

  it.each([{ email: ' ' }, {}])('need an address: %j', async (input) => {
    const { status, body } = await server.call(Auth.ResetPassword, input);
    expect(status).toBe(422);
    expect(body).toMatchObject({ errors: [{ path: 'email', message: 'Please enter your Email first!' }] });
  });
});

describe('ChangePassword', () => {
  it('needs the current password, ends every other session and keeps this one', async () => {
    const user = await aPerson();
    const here = (await signIn(user.userName)).body;
    const there = (await signIn(user.userName)).body;
    const headers = { authorization: `Bearer ${here.access_token}` };
    const change = (input: Record<string, string>) => server.call(Auth.ChangePassword, input, { headers });
    const wrong = await change({ currentPassword: 'wrong', newPassword: 'something else entirely' });
    expect(wrong.status).toBe(422);
    expect(wrong.body).toMatchObject({
      errors: [{ path: 'currentPassword', message: 'This is not your current password' }],
    });
    expect((await change({ newPassword: 'something else entirely' })).status).toBe(422);
    expect((await change({ currentPassword: PASSWORD, newPassword: 'short' })).status).toBe(422);
    const same = await change({ currentPassword: PASSWORD, newPassword: PASSWORD });
    expect(same.body).toMatchObject({
      errors: [{ path: 'newPassword', message: 'Choose a different password from your current one' }],
    });
    expect((await change({ currentPassword: PASSWORD, newPassword: 'something else entirely' })).status).toBe(200);
    expect((await callWith(here.access_token)).status).toBe(200);
    expect((await callWith(there.access_token)).status).toBe(401);
    expect((await refresh(there.refresh_token)).status).toBe(401);
    expect((await refresh(here.refresh_token)).status).toBe(200);
    expect((await signIn(user.userName, 'something else entirely')).status).toBe(200);
  });

  it('emails the person, with the device and the address', async () => {
    const user = await aPerson();
    const agent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36';
    const headers = {
      ...from(77),
      authorization: `Bearer ${(await signIn(user.userName)).body.access_token}`,
      'user-agent': agent,
    };
    await server.drain();
    const before = server.mails.length;
    const input = { currentPassword: PASSWORD, newPassword: 'something else entirely' };
    expect((await server.call(Auth.ChangePassword, input, { headers })).status).toBe(200);
    await server.drain();
    const [mail, ...more] = server.mails.slice(before);
    expect(more).toEqual([]);
    expect(mail).toMatchObject({ to: [user.userName], subject: 'Quoteboard: Your password was changed' });
    expect(mail?.text).toContain(
      'with Chrome on Windows, from the address 10.0.0.77. Every other device was signed out.',
    );
    expect(mail?.text).not.toContain('something else');
  });

  it('refuses what others guess, in words', async () => {
    const user = await aPerson();
    const headers = { authorization: `Bearer ${(await signIn(user.userName)).body.access_token}` };
    const { status, body } = await server.call(
      Auth.ChangePassword,
      { currentPassword: PASSWORD, newPassword: 'Password1234' },
      { headers },
    );
    expect(status).toBe(422);
    expect(body).toMatchObject({
      errors: [{ path: 'newPassword', message: expect.stringContaining('a common password') }],
    });
    expect((await signIn(user.userName)).status).toBe(200);
  });

  it('still works while others guess at sign-in', async () => {
    const user = await aPerson();
    const { access_token } = (await signIn(user.userName)).body;
    for (let i = 0; i < 6; i++) await signIn(user.userName, 'wrong', from(250));
    const { status } = await server.call(
      Auth.ChangePassword,
      { currentPassword: PASSWORD, newPassword: 'something else entirely' },
      { headers: { authorization: `Bearer ${access_token}` } },
    );
    expect(status).toBe(200);
  });

  it('cannot be used to guess the current one', async () => {
    const user = await aPerson();
    const headers = { authorization: `Bearer ${(await signIn(user.userName)).body.access_token}` };
    const guess = () =>
      server.call(
        Auth.ChangePassword,
        { currentPassword: 'wrong', newPassword: 'something else entirely' },
        { headers },
      );
    for (let i = 0; i < 5; i++) expect((await guess()).status).toBe(422);
    const blocked = await guess();
    expect(blocked.status).toBe(429);
    expect(blocked.headers['retry-after']).toBe('60');
  });
});
