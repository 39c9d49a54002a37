// Adds a line to a contract: an item in one of its units. The person adds its prices afterwards.
import { Autocomplete, Select, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api } from '#api/client.web.ts';
import { ItemName } from '#features/catalogue/items/ItemMarks.tsx';
import { ItemSearch, MIN_KEYWORD } from '#features/catalogue/items/items.contract.ts';
import { RecordDrawer } from '#ui/RecordDrawer.tsx';
import { RecordForm } from '#ui/RecordForm.tsx';
import { useRecordForm } from '#ui/record-form.web.ts';
import { Contract } from '../contracts.contract.ts';
import { LineDays } from './LineDays.tsx';
import { LineInput } from './line-edit.ts';

type Props = { contractId: number; onAdded: (itemNumber: string) => void; onClose: () => void };

export function AddLineDrawer(props: Props) {
  return (
    <RecordDrawer onClose={props.onClose} title="Add Line">
      <LineForm {...props} />
    </RecordDrawer>
  );
}

function LineForm({ contractId, onAdded, onClose }: Props) {
  const form = useRecordForm({
    record: { id: 0, contractId, itemNumber: '', unit: '', from: '', to: '', version: 0 },
    schema: LineInput,
    save: (input) => api(Contract).SaveLine(input),
    onSaved: ({ line }) => {
      notifications.show({ message: `The line of ${line?.itemNumber ?? ''} is added. Give it its prices.` });
      onAdded(line?.itemNumber ?? '');
    },
  });
  const { values, errors, set } = form;
  const [asked] = useDebouncedValue(values.itemNumber.trim(), 200);
  const isLong = asked.length >= MIN_KEYWORD;
  const found = useQuery({
    ...api(ItemSearch).SearchItemByNumber.query({ number: asked, hasRecentSaleOnly: false }),
    enabled: isLong,
    placeholderData: keepPreviousData,
  });
  const hits = (isLong ? (found.data ?? []) : []).slice(0, 20);
  const isAsked = asked === values.itemNumber.trim() && !found.isPlaceholderData;
  const item = found.data?.find((one) => one.itemNumber === values.itemNumber.trim() || (isAsked && one.isMeant));
  const units = item?.units ?? [];
  return (
    <RecordForm form={form} label="Line" labels={{ from: 'From', to: 'To' }} action="Add" onCancel={onClose}>
      <Autocomplete
        label="Item #"
        required
        data-autofocus
        description={item?.description ?? 'Type part of the number or the name'}
        maxLength={100}
        value={values.itemNumber}
        error={errors['itemNumber']}
        data={hits.map(({ itemNumber }) => itemNumber)}
        filter={({ options }) => options}
        renderOption={({ option }) => {
          const hit = hits.find(({ itemNumber }) => itemNumber === option.value);
          return (
            <Text size="sm">
              <b>{option.value}</b> {hit ? <ItemName item={hit} /> : null}
            </Text>
          );
        }}
        onChange={(itemNumber) => set({ itemNumber, unit: '' })}
      />
      <Select
        label="Unit"
        allowDeselect={false}
        disabled={units.length === 0}
        placeholder="Choose the item first"
        data={units.map(({ unit, factor }, index) => ({
          value: index === 0 ? '' : unit,
          label: index === 0 ? unit : `${unit} of ${factor.toLocaleString('en-US')} ${units[0]?.unit ?? ''}`,
        }))}
        value={units.length === 0 ? null : values.unit}
        error={errors['unit']}
        onChange={(unit) => set({ unit: unit ?? '' })}
      />
      <LineDays values={values} errors={errors} onChange={set} />
    </RecordForm>
  );
}
