// Price and discount of a line as form fields, for a phone, where the lines have no cells to type into.
import { Group, TextInput } from '@mantine/core';
import { readMoney, readPercent } from '#platform/shared/typed-money.ts';
import type { QuoteItem, QuoteItemInput } from './quote-item.ts';
import { ReasonField, useReasons } from './ReasonField.tsx';

/** As typed. */
export type PriceForm = { price: string; discount: string; reason: string };
export const NO_PRICE: PriceForm = { price: '', discount: '', reason: '' };

export type PricePatch = Pick<QuoteItemInput, 'unitPrice' | 'discountPct' | 'priceReason'>;

export function priceFormOf({
  unitPrice = null,
  discountPct = 0,
  priceReason = '',
}: Partial<Pick<QuoteItem, 'unitPrice' | 'discountPct' | 'priceReason'>>): PriceForm {
  return {
    price: unitPrice === null ? '' : String(unitPrice),
    discount: discountPct === 0 ? '' : String(discountPct),
    reason: priceReason,
  };
}

const discountIn = (text: string) => readPercent(text.trim() || '0');

/**
 * The price fields that the form changes. Price and discount exclude each other, so only one of them differs. An empty discount restores the system
 * price.
 */
export function pricePatchOf(form: PriceForm, start: PriceForm, custom: boolean, currnIdx: number): PricePatch {
  const reason = custom ? {} : { priceReason: form.reason.trim() };
  if (form.price !== start.price) return { unitPrice: readMoney(form.price, currnIdx).value, ...reason };
  if (form.discount !== start.discount) {
    const { value } = discountIn(form.discount);
    return value ? { discountPct: value, ...reason } : { unitPrice: null };
  }
  return form.reason.trim() === start.reason ? {} : reason;
}

export function priceErrorsOf(
  form: PriceForm,
  start: PriceForm,
  custom: boolean,
  currnIdx: number,
): Partial<PriceForm> {
  const price = form.price === start.price ? '' : readMoney(form.price, currnIdx).problem;
  const discount = form.discount === start.discount ? '' : discountIn(form.discount).problem;
  const isTyped =
    form.price !== start.price || (form.discount !== start.discount && discountIn(form.discount).value !== 0);
  return {
    ...(price ? { price } : {}),
    ...(discount ? { discount } : {}),
    ...(isTyped && !custom && form.reason.trim() === '' ? { reason: 'Enter a reason for the price' } : {}),
  };
}

type Props = {
  form: PriceForm;
  start: PriceForm;
  custom: boolean;
  unit: string;
  errors: Partial<PriceForm>;
  onChange: (patch: Partial<PriceForm>) => void;
};

export function LinePriceFields({ form, start, custom, unit, errors, onChange }: Props) {
  const { reasons } = useReasons();
  const asksReason = !custom && (form.price !== start.price || form.discount !== start.discount || start.reason !== '');
  return (
    <>
      <Group grow align="flex-start">
        <TextInput
          label={`Price per ${unit || 'unit'}`}
          inputMode="decimal"
          autoComplete="off"
          value={form.price}
          error={errors.price}
          onFocus={(event) => event.currentTarget.select()}
          onChange={(event) => onChange({ price: event.currentTarget.value, discount: start.discount })}
        />
        {custom ? null : (
          <TextInput
            label="Disc.%"
            inputMode="decimal"
            autoComplete="off"
            value={form.discount}
            error={errors.discount}
            onFocus={(event) => event.currentTarget.select()}
            onChange={(event) => onChange({ discount: event.currentTarget.value, price: start.price })}
          />
        )}
      </Group>
      {asksReason ? (
        <ReasonField
          value={form.reason}
          onChange={(reason) => onChange({ reason })}
          reasons={reasons}
          error={errors.reason}
        />
      ) : null}
    </>
  );
}
