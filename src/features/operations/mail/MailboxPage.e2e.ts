// The mailbox and background work in a browser: read a mail that failed for good, send it again, see it sent; a mail with a secret stays closed.

import { expectAccessible } from '#testing/accessible.ts';
import { expect, test } from '#testing/browser.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { queueMail } from './outbox.server.ts';

test('a failed mail is found, read, and sent again', async ({ page, server, signIn }) => {
  const { db, services } = server;
  const admin = await aUser(db, { roles: ['systemadmin'] });
  const id = await db.transaction().execute((transaction) =>
    queueMail(transaction, services.jobs, {
      to: ['pat@mailbox.example.org'],
      subject: 'Your quote of beds',
      body: 'Good day, here are the beds.',
      attachments: [{ fileId: 999_999, name: 'gone.pdf' }],
    }),
  );
  await expect(async () => {
    const { tries } = await db.selectFrom('mail').select('tries').where('id', '=', id).executeTakeFirstOrThrow();
    expect(tries).toBeGreaterThan(0);
  }).toPass();
  await services.database.pool.query(
    "update pgboss.job set state = 'failed', retry_count = retry_limit, start_after = now() where data @> $1::jsonb",
    [JSON.stringify({ mailId: id })],
  );
  await db.updateTable('mail').set({ state: 'Failed', attachments: '[]' }).where('id', '=', id).execute();

  await signIn(admin);
  await page.goto('/admin/settings');
  await page.getByRole('link', { name: /^Background Work/ }).click();
  await expect(page.getByRole('row', { name: /mail Failed .*gone.pdf/ })).toBeVisible();
  await expectAccessible(page);

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/admin/settings/mailbox?keyword=mailbox.example.org');
  await page.getByRole('button', { name: 'Your quote of beds' }).click();
  const mail = page.getByRole('dialog', { name: 'Your quote of beds' });
  await expect(mail).toContainText('Good day, here are the beds.');
  await expectAccessible(page);
  await mail.getByRole('button', { name: 'Send Again' }).click();
  await expect(page.getByText('The mail will be tried again.')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Mail' }).getByText('Sent')).toBeVisible({ timeout: 30_000 });
});

test('a mail with a password shows to whom it goes, and nothing of it', async ({ page, server, signIn }) => {
  const { db, services } = server;
  await db.transaction().execute((transaction) =>
    queueMail(transaction, services.jobs, {
      to: ['ivy@secret.example.org'],
      subject: 'Your temporary password',
      body: 'It is HUSH-0001.',
      secret: 'Password mail',
    }),
  );
  await signIn(await aUser(db, { roles: ['systemadmin'] }));
  await page.goto('/admin/settings/mailbox?keyword=secret.example.org');
  await page.getByRole('button', { name: 'Password mail' }).click();
  const mail = page.getByRole('dialog', { name: 'Password mail' });
  await expect(mail).toContainText('Password mail to ivy@secret.example.org. Its text is a secret');
  await expect(page.getByText('HUSH')).toHaveCount(0);
  await expect(page.getByText('Your temporary password')).toHaveCount(0);
  await expectAccessible(page);
});
