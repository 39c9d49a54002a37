// Tests passkeys as users use them, with a virtual device of Chromium: added, signed in with, used as the second step, renamed, removed.
import type { Page } from '@playwright/test';
import { expectAccessible } from '#testing/accessible.ts';
import { expect, expectNoSideScroll, test } from '#testing/browser.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { hashPassword } from '../passwords/password.server.ts';

test.use({ company: 'passkeys' });

const PASSWORD = 'correct horse battery';
const hash = await hashPassword(PASSWORD);

/** Adds a virtual device with a fingerprint reader to Chromium. Returns a function that sets whether it recognizes its owner. */
async function aDevice(page: Page) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return (isUserVerified: boolean) => cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
}

test('a person adds a passkey, signs in with it alone and after the password, renames and removes it', async ({
  page,
  server,
  signIn,
  address,
}) => {
  // A passkey belongs to a host name, and 127.0.0.1 is an address.
  const site = address.replace('127.0.0.1', 'localhost');
  server.services.config.publicUrl = site;
  const recognizes = await aDevice(page);
  const user = await aUser(server.db, { roles: ['csrep'], fullName: 'Pia Pass' });
  await server.db.updateTable('app_user').set({ password_hash: hash }).where('id', '=', user.id).execute();
  await signIn(user);
  await page.goto(`${site}/account`);

  const panel = page.getByRole('region', { name: 'Passkeys' });
  await panel.getByRole('button', { name: 'Add a passkey…' }).press('Enter');
  const proof = page.getByRole('dialog', { name: 'Add a passkey' });
  await expect(proof.getByLabel('Password', { exact: true })).toBeFocused();
  await expect(proof.getByRole('button', { name: 'Use a passkey instead' })).toHaveCount(0);
  await page.keyboard.type('wrong');
  await page.keyboard.press('Enter');
  await expect(proof.getByText('This is not your current password')).toBeVisible();
  await expectAccessible(page, '[role="dialog"]');
  await proof.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  const codes = page.getByRole('dialog', { name: 'Your recovery codes' });
  await expect(codes.getByText(/^([A-Z2-9]{4}-){3}[A-Z2-9]{4}/)).toBeVisible();
  await codes.getByRole('button', { name: 'I have saved them' }).click();
  const naming = page.getByRole('dialog', { name: 'Name of the passkey' });
  await expect(naming.getByLabel('Name')).toBeFocused();
  await naming.getByLabel('Name').fill('My computer');
  await page.keyboard.press('Enter');
  await expect(panel).toContainText('My computer');
  await expect(panel).toContainText('never used');
  await expect(page.getByRole('region', { name: 'Second factor' })).toContainText('10 of 10 recovery codes left');
  await page.setViewportSize({ width: 360, height: 740 });
  await expectNoSideScroll(page);
  await page.setViewportSize({ width: 1440, height: 900 });

  const signOut = async () => {
    await page.getByRole('button', { name: 'Account of Pia Pass' }).click();
    await page.getByRole('menuitem', { name: 'Signout' }).click();
    await page.waitForURL(/\/login/);
  };
  await signOut();
  await page.goto(`${site}/login?redirect=%2Fitem-search`);
  // The device does not recognize the finger.
  await recognizes(false);
  const button = page.getByRole('button', { name: 'Sign in with a passkey' });
  await button.click();
  await expect(page.getByRole('alert')).toContainText('Login Failed. No passkey was used');
  await recognizes(true);
  await button.press('Enter');
  await expect(page).toHaveURL(/\/item-search/);
  await expect(page.getByText('Hello, Pia Pass')).toBeVisible();

  await signOut();
  await page.getByLabel('Email').fill(user.userName);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByLabel('Code')).toBeFocused();
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page.getByText('Hello, Pia Pass')).toBeVisible();

  await page.goto(`${site}/account`);
  await expect(panel).toContainText('last used');
  await panel.getByRole('button', { name: 'Rename My computer…' }).click();
  await naming.getByLabel('Name').fill('Old computer');
  await page.keyboard.press('Enter');
  await panel.getByRole('button', { name: 'Add a passkey…' }).click();
  await proof.getByRole('button', { name: 'Use a passkey instead' }).click();
  await expect(proof.getByRole('alert')).toContainText('This device already has a passkey for you');
  await proof.getByRole('button', { name: 'Cancel' }).click();
  await panel.getByRole('button', { name: 'Remove Old computer…' }).click();
  const remove = page.getByRole('dialog', { name: 'Remove the passkey Old computer?' });
  await remove.getByRole('button', { name: 'Use a passkey instead' }).click();
  await expect(page.getByText('The passkey Old computer is removed.')).toBeVisible();
  await expect(panel).not.toContainText('Old computer,');
  await expect(page.getByRole('region', { name: 'Second factor' })).toContainText('Not set up');
});
