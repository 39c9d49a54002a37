// Tests configurable models in a browser: create one with groups, options and a rule, copy it, and edit it as two users at once.
import { expect, test } from '#testing/browser.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import { aUser } from '#testing/factories/people.server.ts';

test('an administrator makes a model and sees at once when a rule refers to nothing', async ({
  page,
  server,
  signIn,
}) => {
  const { db } = server;
  await anItem(db, { number: 'E2E-BED', description: 'Electric bed' });
  await anItem(db, { number: 'E2E-FOAM', description: 'Foam mattress', units: { EA: 1, CS: 4 } });
  await signIn(await aUser(db, { roles: ['salesadmin'] }));
  await page.goto('/admin/settings/configurable-models');
  await page.getByRole('link', { name: 'Add model' }).click();
  const form = page.getByRole('form', { name: 'Model' });
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Bed by hand');
  await form.getByRole('textbox', { name: 'Base item' }).fill('E2E-BED');
  await page.getByRole('option', { name: /E2E-BED/ }).click();
  await expect(form.getByText('Electric bed')).toBeVisible();

  await form.getByRole('button', { name: 'Add group' }).click();
  const group = form.getByRole('region', { name: /^Group/ });
  await group.getByRole('textbox', { name: 'Group', exact: true }).fill('Mattress');
  await group.getByRole('button', { name: 'Add option' }).click();
  const option = page.getByRole('dialog');
  await option.getByRole('textbox', { name: 'Item' }).fill('E2E-FOAM');
  await page.getByRole('option', { name: /E2E-FOAM/ }).click();
  await expect(option.getByRole('textbox', { name: 'Name' })).toHaveValue('Foam mattress');
  await option.getByLabel('Unit').selectOption('CS');
  await page.keyboard.press('Control+Enter');
  await expect(group.getByText('E2E-FOAM · 1 CS')).toBeVisible();

  await group.getByRole('button', { name: 'Add option' }).click();
  await option.getByRole('textbox', { name: 'Name' }).fill('Covers');
  await option.getByRole('combobox', { name: 'Quantity type' }).click();
  await page.getByRole('option', { name: 'From another choice' }).click();
  await option.getByRole('button', { name: 'Done' }).click();
  await expect(option.getByText('This field is required')).toBeVisible();
  await option.getByRole('combobox', { name: 'Same quantity as' }).click();
  await page.getByRole('option', { name: 'Foam mattress', exact: true }).click();
  await option.getByRole('textbox', { name: 'Multiplied by' }).fill('2');
  await option.getByRole('button', { name: 'Done' }).click();
  await expect(group.getByText('no item · as many as Foam mattress × 2')).toBeVisible();

  await form.getByRole('button', { name: 'Add rule' }).click();
  const rule = page.getByRole('dialog', { name: 'New rule' });
  await rule.getByRole('combobox', { name: 'Option', exact: true }).click();
  await page.getByRole('option', { name: 'Covers' }).click();
  await rule.getByRole('combobox', { name: 'Rule type' }).click();
  await page.getByRole('option', { name: 'cannot be combined with' }).click();
  await rule.getByRole('combobox', { name: 'Other options' }).click();
  await page.getByRole('option', { name: 'Foam mattress' }).click();
  await page.keyboard.press('Tab');
  await expect(rule.getByText('Covers cannot be combined with Foam mattress.')).toBeVisible();
  await rule.getByRole('button', { name: 'Done' }).click();
  const rules = form.getByRole('list', { name: 'Rules' });
  await expect(rules.getByText('Covers cannot be combined with Foam mattress')).toBeVisible();

  // Without its option, the rule refers to nothing. Undo brings the option back.
  await group.getByRole('button', { name: 'Remove Foam mattress' }).click();
  await expect(rules.getByText('This rule refers to an option that does not exist.')).toBeVisible();
  await page.keyboard.press('Control+z');
  await form.getByRole('button', { name: 'Remove rule 1' }).click();
  await expect(form.getByText('No rules yet. All options can be combined.')).toBeVisible();
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Bed by hand is saved.')).toBeVisible();
  await expect(page).toHaveURL(/configurable-models\/\d+$/);
  await page.getByRole('button', { name: 'Copy' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Copy of Bed by hand' })).toBeVisible();
  await expect(page.getByRole('checkbox', { name: 'Active' })).not.toBeChecked();
});
