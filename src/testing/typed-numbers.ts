// What every number field of a form must do with a text that is no number it takes.
import type { Locator } from '@playwright/test';
import { expect } from './browser.ts';

const NONE = ['1e3', '2,5', '2.5.1'];

/** The field keeps each text as it was typed and says under it why it is refused. `least`: what '-3' lies below. */
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
