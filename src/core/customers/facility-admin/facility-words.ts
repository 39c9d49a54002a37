// The words for a facility on its screen, in its history, and in edit conflicts.
import { formatDate, type IsoDate } from '#platform/shared/dates.ts';
import { currencyOf } from '#platform/shared/money.ts';
import { cityStateZip } from '#platform/shared/place-words.ts';
import type { Address, Named } from '#platform/shared/wire.ts';
import type { FACILITY } from './facility-admin.contract.ts';

type Field = keyof typeof FACILITY.labels;

/** A field's value in words, or '' without a value. */
export function fieldInWords(field: Field, value: unknown): string {
  if (value === null || value === undefined || value === '') return '';
  switch (field) {
    case 'shipTo':
    case 'billTo':
      return addressInWords(value as Address);
    case 'parent':
      return (value as Named).name;
    case 'currnIdx':
      return currencyOf(Number(value));
    case 'taxRate':
      return `${Number(value)}%`;
    case 'taxExempt':
      return value ? 'yes' : 'no';
    default:
      return typeof value === 'string' ? value : JSON.stringify(value);
  }
}

export function addressInWords({ line1, line2, city, state, zip }: Address): string {
  return [line1, line2, cityStateZip({ city, state, zip })].filter(Boolean).join(', ');
}

/** '01/01/2026 – 06/30/2026' */
export function daysInWords({ from, to }: { from: IsoDate; to: IsoDate | null }): string {
  return `${formatDate(from)} – ${formatDate(to) || 'no end'}`;
}
