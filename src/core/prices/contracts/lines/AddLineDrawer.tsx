// Adds a line to a contract: an item in one of its units. The user adds its prices afterwards.
import { Select } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { api } from '#platform/api/client.web.ts';
import { ItemByNumber, useItemsByNumber } from '#core/catalog/items/ItemByNumber.tsx';
import { RecordDrawer } from '#platform/ui/RecordDrawer.tsx';
import { RecordForm } from '#platform/ui/RecordForm.tsx';
import { useRecordForm } from '#platform/ui/record-form.web.ts';
import { Contract } from '../contracts.contract.ts';
import { LineDays } from './LineDays.tsx';
import { ContractLineInput } from './line-edit.ts';

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
    schema: ContractLineInput,
    save: (input) => api(Contract).SaveLine(input),
    onSaved: ({ line }) => {
      notifications.show({ message: `The line of ${line?.itemNumber ?? ''} is added. Now add its prices.` });
      onAdded(line?.itemNumber ?? '');
    },
  });
  const { values, errors, set } = form;
  const { hits, written, meant, failure } = useItemsByNumber(values.itemNumber);
  const item = written ?? meant;
  const units = item?.units ?? [];
  return (
    <RecordForm form={form} label="Line" labels={{ from: 'From', to: 'To' }} action="Add" onCancel={onClose}>
      <ItemByNumber
        label="Item #"
        data-autofocus
        hits={hits}
        failure={failure}
        item={item}
        value={values.itemNumber}
        error={errors['itemNumber']}
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
