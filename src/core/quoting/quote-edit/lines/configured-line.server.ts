// Rules for lines that a configurator made: the configuration sets item, quantity and unit until a user unlinks the line.
import type { FieldError } from '#platform/api/http-error.ts';
import type { Line, LineConfigured } from '#core/quoting/quotes/quote-rows.ts';
import { compare } from '#platform/shared/money.ts';

/** Sets the configuration that a line comes from. Undefined leaves it unchanged. Returns whether it stayed the same. */
export function applyConfigured(line: Line, input: LineConfigured | null | undefined): boolean {
  if (input === undefined || sameConfigured(line.configured, input)) return true;
  line.configured = input;
  return false;
}

/**
 * The errors for changed parts of a linked line that its configuration sets. `before` is the earlier line. It is null when the configurator or an
 * undo adds the line together with its quantity.
 */
export function lockedParts(line: Line, before: Line | null): FieldError[] {
  const { configured } = line;
  if (!configured?.linked || !configured.taken) return [];
  const refuse = (path: string, what: string) => ({ path, message: lockedWords(configured, what) });
  const errors: FieldError[] = [];
  if (compare(line.qty, configured.taken.qty) !== 0) errors.push(refuse('qty', 'quantity'));
  if (before && line.unit !== before.unit) errors.push(refuse('unit', 'unit'));
  if (before && (line.item_id !== before.item_id || line.item_number !== before.item_number)) {
    errors.push(refuse('itemId', 'item'));
  }
  return errors;
}

/** Explains why the user cannot change a part of a line, for the error and the board. */
export function lockedWords({ configId }: Pick<LineConfigured, 'configId'>, what: string): string {
  return `The ${what} comes from the configuration ${configId}. Unlink the line to change it.`;
}

function sameConfigured(configured: LineConfigured | null, other: LineConfigured | null): boolean {
  if (configured === null || other === null) return configured === other;
  const { taken: a } = configured;
  const { taken: b } = other;
  const isSame =
    configured.configId === other.configId &&
    configured.position === other.position &&
    configured.linked === other.linked;
  if (a === null || b === null) return isSame && a === b;
  return (
    isSame &&
    a.itemNumber === b.itemNumber &&
    a.description === b.description &&
    a.qty === b.qty &&
    a.unit === b.unit &&
    a.optionText === b.optionText &&
    a.price === b.price
  );
}
