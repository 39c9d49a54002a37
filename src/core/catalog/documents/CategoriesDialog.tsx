// Edits the categories of documents: the name, the audience, and whether a document is preselected when a quote is sent.
import { ActionIcon, Button, Checkbox, Group, Modal, Select, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { RecordForm } from '#platform/ui/RecordForm.tsx';
import { useRecordForm } from '#platform/ui/record-form.web.ts';
import { AUDIENCE_LABELS } from './document-words.ts';
import { Audience, type DocCategory, DocCategoryEdit, ItemDocuments } from './documents.contract.ts';

export function CategoriesDialog({ onClose }: { onClose: () => void }) {
  const query = useQuery(api(ItemDocuments).GetItmDocCategories.query({}));
  const [editing, setEditing] = useState<DocCategoryEdit | null>(null);
  const remove = useMutation(api(ItemDocuments).RemoveItmDocCategory.mutation());
  return (
    <Modal opened onClose={onClose} title="Document categories" size="lg">
      {editing ? (
        <CategoryForm key={editing.id} category={editing} onDone={() => setEditing(null)} />
      ) : (
        <Stack>
          {query.data ? (
            <Stack gap={0} component="ul" p={0} m={0} style={{ listStyle: 'none' }} aria-label="Categories">
              {query.data.map((category) => (
                <Group component="li" key={category.id} justify="space-between" wrap="nowrap" mih={44}>
                  <div>
                    <Text size="sm" fw={600}>
                      {category.name}
                    </Text>
                    <Text size="xs" className="muted">
                      {categoryFacts(category)}
                    </Text>
                  </div>
                  <Group gap={4} wrap="nowrap">
                    <ActionIcon
                      variant="subtle"
                      color="gray"
                      aria-label={`Change ${category.name}`}
                      onClick={() => setEditing(category)}
                    >
                      <IconPencil size={16} />
                    </ActionIcon>
                    <ActionIcon
                      variant="subtle"
                      color="gray"
                      aria-label={`Remove ${category.name}`}
                      disabled={category.documents > 0}
                      title={category.documents > 0 ? 'Documents use it' : undefined}
                      onClick={() => remove.mutate({ id: category.id, version: category.version })}
                    >
                      <IconTrash size={16} />
                    </ActionIcon>
                  </Group>
                </Group>
              ))}
            </Stack>
          ) : query.error ? null : (
            <Skeleton height={200} aria-label="Loading" />
          )}
          <ErrorAlert
            error={query.error ?? remove.error}
            title={query.error ? 'The categories could not be loaded' : 'The category could not be removed'}
          />
          <Group justify="flex-end">
            <Button
              variant="default"
              leftSection={<IconPlus size={16} aria-hidden />}
              onClick={() => setEditing({ id: 0, name: '', audience: 'Staff', offered: false })}
            >
              Add Category
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}

function categoryFacts({ audience, offered, documents }: DocCategory): string {
  const count = countOf(documents, 'document');
  return [AUDIENCE_LABELS[audience], offered ? 'selected when a quote is sent' : '', count].filter(Boolean).join(' · ');
}

function CategoryForm({ category, onDone }: { category: DocCategoryEdit; onDone: () => void }) {
  const form = useRecordForm({
    record: category,
    schema: DocCategoryEdit,
    save: (values: DocCategoryEdit) => api(ItemDocuments).SaveItmDocCategory(values),
    onSaved: onDone,
  });
  const { values, set, errors } = form;
  return (
    <RecordForm
      form={form}
      labels={{ name: 'Name', audience: 'Who gets it', offered: 'Selected by default' }}
      label="Category"
      onCancel={onDone}
    >
      <TextInput
        label="Name"
        required
        data-autofocus
        maxLength={100}
        value={values.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
        {...(errors['name'] ? { error: errors['name'] } : {})}
      />
      <Select
        label="Who gets it"
        allowDeselect={false}
        data={Audience.options.map((value) => ({ value, label: AUDIENCE_LABELS[value] }))}
        value={values.audience}
        onChange={(next) => set({ audience: Audience.options.find((option) => option === next) ?? 'Staff' })}
      />
      <Checkbox
        label="Selected by default when a quote is sent"
        disabled={values.audience !== 'Customer'}
        checked={values.offered && values.audience === 'Customer'}
        onChange={(event) => set({ offered: event.currentTarget.checked })}
      />
    </RecordForm>
  );
}
