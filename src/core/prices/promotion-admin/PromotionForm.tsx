// Edits a promotion in a drawer: fields by type, preview, quotes that use it, early end, history.
import { Button, Checkbox, Group, Select, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, READ_ANEW } from '#platform/api/client.web.ts';
import type { OutputOf } from '#platform/api/endpoint.ts';
import { ItemByNumber, useItemsByNumber } from '#core/catalog/items/ItemByNumber.tsx';
import { HistorySection } from '#platform/history/HistoryPanel.tsx';
import { KIND_LABELS, kindOf, PROMOTION_KINDS, type PromotionKind } from '#core/prices/promotions/promotion.ts';
import { formatDate } from '#platform/shared/dates.ts';
import { currencyOf, DOLLAR_INDEX, EURO_INDEX } from '#platform/shared/money.ts';
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx';
import { DateField } from '#platform/ui/DateField.tsx';
import { EditDrawer } from '#platform/ui/EditDrawer.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { fieldsOf } from '#platform/ui/form-fields.web.ts';
import { NumberField } from '#platform/ui/NumberField.tsx';
import { RecordForm } from '#platform/ui/RecordForm.tsx';
import { useRecordForm } from '#platform/ui/record-form.web.ts';
import { PromotionPreview } from './PromotionPreview.tsx';
import { countsInWords, PromotionQuotes, usePromotionUse } from './PromotionQuotes.tsx';
import {
  ItemPromotion,
  PROMOTION,
  type PromotionEdit,
  type PromotionState,
  WholePromotion,
} from './promotion-admin.contract.ts';

export function PromotionDrawer({ id, onClose }: { id: number; onClose: () => void }) {
  const edit = useQuery({
    ...api(ItemPromotion).PopulateItemPromotionEdit.query(id ? { id } : {}),
    ...READ_ANEW,
  });
  return (
    <EditDrawer
      title={id ? 'Edit Promotion' : 'Add Promotion'}
      size="lg"
      edit={edit}
      failed="This promotion could not be loaded"
      onClose={onClose}
    >
      {(read) => <PromotionForm edit={read} onClose={onClose} />}
    </EditDrawer>
  );
}

function inWords(field: keyof PromotionEdit, value: unknown): string | undefined {
  if (field === 'promotionType') return KIND_LABELS[kindOf({ promotionType: String(value) })];
  if (field === 'currnIdx') return currencyOf(Number(value));
  if (field === 'validFrom' || field === 'validTo') return typeof value === 'string' ? formatDate(value) : 'no end';
  return undefined;
}

type EditData = OutputOf<typeof ItemPromotion.PopulateItemPromotionEdit>;

function PromotionForm({ edit, onClose }: { edit: EditData; onClose: () => void }) {
  const [ending, setEnding] = useState(false);
  const { id } = edit.promotion;
  const form = useRecordForm({
    record: edit.promotion,
    schema: WholePromotion,
    save: api(ItemPromotion).saveItemPromotion,
    onSaved: (saved) => {
      notifications.show({ message: `${saved.name || 'The promotion'} is saved.` });
      onClose();
    },
  });
  const { values, errors, set } = form;
  const { hits, failure, item } = useItem(values.itemNumber, edit);
  const field = fieldsOf(form, WholePromotion, PROMOTION.labels);
  const kind = kindOf(values);
  const units = item?.units ?? [];
  const chooseKind = (next: PromotionKind) =>
    set({
      promotionType: next === kindOf(edit.promotion) ? edit.promotion.promotionType : next,
      // The user cannot fill in a hidden field.
      promotionAmt: values.promotionAmt || 0,
      buyXGetYFreeBuyQty: values.buyXGetYFreeBuyQty || 0,
      buyXGetYFreeGetQty: values.buyXGetYFreeGetQty || 0,
    });

  return (
    <Stack>
      <RecordForm
        form={form}
        label="Promotion"
        labels={PROMOTION.labels}
        inWords={inWords}
        onCancel={onClose}
        more={
          id && (edit.state === 'Running' || edit.state === 'Coming') ? (
            <Button variant="default" color="red" disabled={form.dirty} onClick={() => setEnding(true)}>
              End now
            </Button>
          ) : null
        }
      >
        <TextInput {...field.text('name')} description="The name that administrators see." data-autofocus />
        <ItemByNumber
          {...field.text('itemNumber')}
          hits={hits}
          failure={failure}
          item={item}
          onChange={(itemNumber) => set({ itemNumber })}
        />
        <Select
          {...field.choice('promotionType')}
          data={PROMOTION_KINDS.map((promotionKind) => ({ value: promotionKind, label: KIND_LABELS[promotionKind] }))}
          value={kind}
          onChange={(next) => next && chooseKind(next)}
        />
        <Group grow align="start">
          {kind === 'BuyXGetYFree' ? (
            <>
              <NumberField {...field.number('buyXGetYFreeBuyQty')} required />
              <NumberField {...field.number('buyXGetYFreeGetQty')} required />
            </>
          ) : (
            <NumberField
              {...field.number('promotionAmt')}
              label={kind === 'DiscountPct' ? 'Discount %' : 'Price'}
              required
            />
          )}
          <Select
            label="Currency"
            allowDeselect={false}
            data={['USD', 'EUR']}
            value={currencyOf(values.currnIdx)}
            error={errors['currnIdx']}
            onChange={(next) => set({ currnIdx: next === 'EUR' ? EURO_INDEX : DOLLAR_INDEX })}
          />
        </Group>
        <Group grow align="start">
          <NumberField {...field.number('minQty')} />
          <NumberField {...field.number('maxQty')} description="0: unlimited" inputWrapperOrder={BELOW} />
          <Select
            {...field.choice('uom')}
            data={[
              { value: '', label: 'any' },
              ...[...new Set([...units, ...(values.uom ? [values.uom] : [])])].map((unit) => ({
                value: unit,
                label: unit,
              })),
            ]}
          />
        </Group>
        <Group grow align="start">
          <DateField {...field.day('validFrom')} required />
          <DateField {...field.day('validTo')} description="The last day; empty: no end" inputWrapperOrder={BELOW} />
        </Group>
        <Checkbox
          {...field.check('active')}
          description="When inactive, it is not offered. Quotes that already use it keep it until they are repriced."
        />
        <PromotionPreview promotion={values} units={units} />
      </RecordForm>
      {id ? (
        <section>
          <Title order={2} size="h6" mb="xs">
            Quotes that use it
          </Title>
          <PromotionQuotes id={id} />
        </section>
      ) : null}
      <HistorySection type="promotion" id={id} />
      {ending ? (
        <EndPromotionDialog
          promotion={edit.promotion}
          state={edit.state}
          onEnded={onClose}
          onClose={() => setEnding(false)}
        />
      ) : null}
    </Stack>
  );
}

/** Puts the hint below the field, so that the fields of a row stay aligned. */
const BELOW: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error'];

/** The items that match the typed number, and the exact item once the number is complete. */
function useItem(itemNumber: string, edit: EditData) {
  const { hits, failure, written, meant } = useItemsByNumber(itemNumber);
  const hit = written ?? meant;
  if (hit) return { hits, failure, item: { description: hit.description, units: hit.units.map(({ unit }) => unit) } };
  return { hits, failure, item: itemNumber === edit.promotion.itemNumber ? edit.item : null };
}

type EndProps = { promotion: PromotionEdit; state: PromotionState; onEnded: () => void; onClose: () => void };

/** Asks for confirmation before it ends a promotion, and shows which quotes are affected. */
function EndPromotionDialog({ promotion, state, onEnded, onClose }: EndProps) {
  const use = usePromotionUse(promotion.id);
  const ending = useMutation({
    mutationFn: () => api(ItemPromotion).EndItemPromotion({ id: promotion.id, version: promotion.version }),
    onSuccess: (ended) => {
      notifications.show({ message: `${ended.name || 'The promotion'} has ended.` });
      onEnded();
    },
  });
  return (
    <ConfirmDialog
      title={`End ${promotion.name || 'this promotion'} now?`}
      action="End now"
      harmful
      busy={ending.isPending}
      error={ending.error}
      onConfirm={() => ending.mutate()}
      onClose={onClose}
    >
      <Stack gap="xs">
        <Text size="sm">
          {state === 'Coming'
            ? 'It has not started, so it is deactivated.'
            : 'It ends yesterday; if it started today, it is deactivated. Quotes dated today or later no longer get it.'}
        </Text>
        {use.error ? (
          <ErrorAlert error={use.error} title="The quotes could not be counted" onRetry={use.refetch} />
        ) : null}
        {use.data ? (
          <Text size="sm">
            Quotes that use it: {countsInWords(use.data)}. They keep it until they are repriced. Quotes already sent do
            not change.
          </Text>
        ) : use.error ? null : (
          <Skeleton height={20} />
        )}
      </Stack>
    </ConfirmDialog>
  );
}
