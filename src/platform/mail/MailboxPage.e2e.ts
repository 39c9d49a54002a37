// Tests the mailbox in a browser: a mail with a secret stays closed.

import { expectAccessible } from '#testing/accessible.ts';
import { expect, test } from '#testing/browser.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { queueMail } from './outbox.server.ts';

test('an email with a password shows to whom it goes, and nothing of it', async ({ page, server, signIn }) => {
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
  await expectAccessible(page, '[role="dialog"]');
});
