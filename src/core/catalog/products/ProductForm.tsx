// The form of a product, in a drawer for a new one and on the page of an existing one.
import { Autocomplete, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import type { Named } from '#platform/shared/wire.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { RecordForm } from '#platform/ui/RecordForm.tsx';
import { useRecordForm } from '#platform/ui/record-form.web.ts';
import { ChosenStatus } from './product-status.ts';
import { ProductSelect } from './ProductSelect.tsx';
import { ProductEdit, Products, type SavedProduct } from './products.contract.ts';

const LABELS = {
  name: 'Name',
  description: 'Text',
  brand: 'Brand',
  productType: 'Type',
  classId: 'Class',
  manufacturer: 'Manufacturer',
  manufacturerNo: 'Manufacturer number',
  status: 'Status',
  replacedById: 'Replaced by',
};

export const NEW_PRODUCT: ProductEdit = {
  id: 0,
  name: '',
  description: '',
  brand: '',
  productType: '',
  classId: null,
  manufacturer: '',
  manufacturerNo: '',
  status: 'Draft',
  replacedById: null,
};

type Props = {
  product: ProductEdit;
  replacedBy: Named | null;
  onSaved: (saved: SavedProduct) => void;
  onCancel?: () => void;
};

export function ProductForm({ product, replacedBy, onSaved, onCancel }: Props) {
  const choices = useQuery(api(Products).GetProductChoices.query({}));
  const [replacement, setReplacement] = useState(replacedBy);
  const form = useRecordForm({
    record: product,
    schema: ProductEdit,
    save: (values: ProductEdit) => api(Products).SaveProduct(values),
    onSaved,
  });
  const { values, set, errors } = form;
  const error = (field: keyof ProductEdit) => (errors[field] ? { error: errors[field] } : {});
  return (
    <RecordForm form={form} labels={LABELS} label="Product" {...(onCancel ? { onCancel } : {})}>
      <Stack gap="sm">
        <TextInput
          label="Name"
          description="The name buyers know; shown next to the ERP description"
          required
          data-autofocus={product.id === 0 ? true : undefined}
          maxLength={300}
          value={values.name}
          onChange={(event) => set({ name: event.currentTarget.value })}
          {...error('name')}
        />
        <Textarea
          label="Text"
          autosize
          minRows={3}
          maxRows={14}
          maxLength={10_000}
          value={values.description}
          onChange={(event) => set({ description: event.currentTarget.value })}
          {...error('description')}
        />
        <ErrorAlert
          error={choices.error}
          title="The brands, types and classes could not be loaded"
          onRetry={choices.refetch}
        />
        <Autocomplete
          label="Brand"
          data={choices.data?.brands ?? []}
          limit={20}
          maxLength={200}
          value={values.brand}
          onChange={(brand) => set({ brand })}
          {...error('brand')}
        />
        <Autocomplete
          label="Type"
          data={choices.data?.types ?? []}
          limit={20}
          maxLength={100}
          value={values.productType}
          onChange={(productType) => set({ productType })}
          {...error('productType')}
        />
        <Select
          label="Class"
          searchable
          clearable
          clearButtonProps={{ 'aria-label': 'Clear' }}
          limit={50}
          data={(choices.data?.classes ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
          value={values.classId ? String(values.classId) : null}
          onChange={(id) => set({ classId: id ? Number(id) : null })}
          nothingFoundMessage="No Record Found"
          {...error('classId')}
        />
        <TextInput
          label="Manufacturer"
          maxLength={200}
          value={values.manufacturer}
          onChange={(event) => set({ manufacturer: event.currentTarget.value })}
          {...error('manufacturer')}
        />
        <TextInput
          label="Manufacturer number"
          description="Items with this number belong to the product"
          maxLength={100}
          value={values.manufacturerNo}
          onChange={(event) => set({ manufacturerNo: event.currentTarget.value })}
          {...error('manufacturerNo')}
        />
        <Select
          label="Status"
          description="People who quote do not see drafts"
          allowDeselect={false}
          data={ChosenStatus.options}
          value={values.status}
          onChange={(next) => set({ status: ChosenStatus.options.find((option) => option === next) ?? 'Draft' })}
          {...error('status')}
        />
        {values.status === 'Discontinued' ? (
          <ProductSelect
            label="Replaced by"
            value={replacement}
            exceptIds={[values.id]}
            onChange={(next) => {
              setReplacement(next);
              set({ replacedById: next?.id ?? null });
            }}
            {...error('replacedById')}
          />
        ) : null}
      </Stack>
    </RecordForm>
  );
}
