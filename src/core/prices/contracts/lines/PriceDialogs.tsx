// Adds a new price to a line in a tier. Until the day on which a price begins, the user can also correct or remove it.
import { Checkbox, Group, Modal, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { addDays, formatDate } from '#platform/shared/dates.ts';
import { currencyOf, formatPrice } from '#platform/shared/money.ts';
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx';
import { DateField } from '#platform/ui/DateField.tsx';
import { NumberField } from '#platform/ui/NumberField.tsx';
import { RecordForm } from '#platform/ui/RecordForm.tsx';
import { useRecordForm } from '#platform/ui/record-form.web.ts';
import { Contract, type ContractLine, type ContractTier, type TierPrice } from '../contracts.contract.ts';
import { PriceInput } from './line-edit.ts';
import { perEach } from './per-each.ts';

type Props = {
  line: ContractLine;
  tier: ContractTier;
  currnIdx: number;
  today: string;
  /** Null means a new price. */
  price: TierPrice | null;
  onClose: () => void;
};

const LABELS = { price: 'Price', from: 'From', to: 'To' };

export function PriceDialog({ line, tier, currnIdx, today, price, onClose }: Props) {
  const form = useRecordForm({
    record: {
      id: price?.id ?? 0,
      lineId: line.id,
      tierId: tier.id,
      price: price?.price ?? Number.NaN,
      from: price?.from ?? addDays(today, 1),
      to: price?.to ?? '',
      confirmed: false,
      version: price?.version ?? 0,
    },
    schema: PriceInput,
    save: (input) => api(Contract).SavePrice(input),
    onSaved: () => {
      notifications.show({ message: `The price of ${line.itemNumber} from ${formatDate(form.values.from)} is saved.` });
      onClose();
    },
  });
  const { values, errors, set } = form;
  const each = Number.isNaN(values.price) || line.unit === line.baseUnit ? null : perEach(values.price, line.perUnit);
  const title = `${price ? 'Edit' : 'New'} price of ${line.itemNumber}, tier ${tier.tierNo}`;
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size="sm"
      closeOnClickOutside={!form.dirty}
      closeOnEscape={!form.dirty}
    >
      <RecordForm
        form={form}
        label="Price"
        labels={LABELS}
        inWords={(field, value) =>
          field === 'price'
            ? formatPrice(Number(value), currnIdx)
            : formatDate(typeof value === 'string' ? value : null) || 'no end'
        }
        onCancel={onClose}
      >
        <NumberField
          label={`Price per ${line.unit}`}
          required
          data-autofocus
          min={0}
          max={9_999_999_999}
          suffix={currencyOf(currnIdx)}
          description={
            each === null ? undefined : `${formatPrice(each, currnIdx, { agreed: values.price })} per ${line.baseUnit}`
          }
          inputWrapperOrder={BELOW}
          value={values.price}
          error={errors['price']}
          onChange={(next) => set({ price: next, confirmed: false })}
        />
        {errors['confirmed'] || values.confirmed ? (
          <Checkbox
            label="This price is correct"
            error={errors['confirmed']}
            aria-invalid={Boolean(errors['confirmed'])}
            checked={values.confirmed}
            onChange={(event) => set({ confirmed: event.currentTarget.checked })}
          />
        ) : null}
        <Group grow align="flex-start">
          <DateField
            label={LABELS.from}
            required
            value={values.from}
            error={errors['from']}
            onChange={(from) => set({ from })}
          />
          <DateField
            label={LABELS.to}
            placeholder="until the next"
            value={values.to}
            error={errors['to']}
            onChange={(to) => set({ to })}
          />
        </Group>
        <Text size="sm" className="muted">
          The previous price ends the day before. Later prices stay.
        </Text>
      </RecordForm>
    </Modal>
  );
}

/** Puts the hint below the field, so that the fields stay aligned. */
const BELOW: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error'];

type RemoveProps = Omit<Props, 'today' | 'price'> & {
  price: TierPrice;
  /** All prices of the line in this tier. */
  prices: readonly TierPrice[];
};

export function RemovePriceDialog({ line, tier, currnIdx, price, prices, onClose }: RemoveProps) {
  const before = prices.find(({ to }) => to === addDays(price.from, -1));
  const [goesOn, setGoesOn] = useState(true);
  const removal = useMutation({
    mutationFn: () =>
      api(Contract).SavePrice({
        id: price.id,
        lineId: line.id,
        tierId: tier.id,
        price: price.price,
        from: price.from,
        version: price.version,
        remove: true,
        beforeGoesOn: goesOn,
      }),
    onSuccess: () => {
      notifications.show({ message: `The price from ${formatDate(price.from)} is removed.` });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={`Remove the price from ${formatDate(price.from)}?`}
      action="Remove"
      harmful
      busy={removal.isPending}
      error={removal.error}
      onConfirm={() => removal.mutate()}
      onClose={onClose}
    >
      <Stack gap="xs">
        <Text size="sm">
          {formatPrice(price.price, currnIdx)} per {line.unit} is removed. A price used in a sent quote cannot be
          removed.
        </Text>
        {before ? (
          <Checkbox
            label={`${formatPrice(before.price, currnIdx)} continues ${price.to ? `to ${formatDate(price.to)}` : 'with no end date'}`}
            description="Otherwise these days have no price in this tier."
            checked={goesOn}
            onChange={(event) => setGoesOn(event.currentTarget.checked)}
          />
        ) : null}
      </Stack>
    </ConfirmDialog>
  );
}
