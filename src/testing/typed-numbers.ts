// Checks what every number field of a form must do with a text that it refuses.
import type { Locator } from '@playwright/test';
import { expect } from './browser.ts';

const NONE = ['1e3', '2,5', '2.5.1'];

/** Expects the field to keep each typed text and to say under it why it is refused. `least` is the minimum that '-3' violates. */
export async function expectRefusals(field: Locator, least: number): Promise<void> {
  const before = await field.inputValue();
  const wrong = [...NONE.map((text) => [text, `'${text}' is not a number`]), ['-3', `At least ${least}`]];
  for (const [text = '', words = ''] of wrong) {
    await field.fill(text);
    await expect(field).toHaveAccessibleDescription(new RegExp(words.replaceAll('.', String.raw`\.`)));
    await expect(field).toHaveAttribute('aria-invalid', 'true');
    await field.blur();
    await expect(field).toHaveValue(text);
  }
  await field.fill(before);
}
