// One document: its form, a new revision, past revisions, and the products and items linked to it.
import { Anchor, Button, FileInput, Group, Select, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, READ_ANEW } from '#platform/api/client.web.ts';
import { HistoryPanel } from '#platform/history/HistoryPanel.tsx';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { formatDate } from '#platform/shared/dates.ts';
import { paths } from '#platform/shared/paths.ts';
import { hasRole } from '#platform/shared/roles.ts';
import { DateField } from '#platform/ui/DateField.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { RecordDrawer } from '#platform/ui/RecordDrawer.tsx';
import { RecordForm } from '#platform/ui/RecordForm.tsx';
import { useRecordForm } from '#platform/ui/record-form.web.ts';
import { saveFile } from '#platform/ui/save-file.web.ts';
import { sizeText } from '#platform/shared/size-text.ts';
import { LANGUAGES } from './document-words.ts';
import { type DocCategory, DocEdit, type DocLink, type DocRow, ItemDocuments } from './documents.contract.ts';
import { LinkForm } from './LinkForm.tsx';

type Props = { id: number; categories: DocCategory[]; onClose: () => void };

export function DocumentDrawer({ id, categories, onClose }: Props) {
  const user = useSession();
  const query = useQuery({ ...api(ItemDocuments).GetItmDoc.query({ id }), ...READ_ANEW });
  const { data } = query;
  const [saves, setSaves] = useState(0);
  return (
    <RecordDrawer title={data?.document.title ?? 'Document'} size="lg" onClose={onClose}>
      {data ? (
        <Stack gap="xl">
          <DocumentForm
            key={saves}
            document={data.document}
            newest={data.revisions[0]}
            categories={categories}
            onSaved={(saved) => {
              notifications.show({ message: `${saved.title} is saved.` });
              setSaves((count) => count + 1);
            }}
          />
          <Revisions revisions={data.revisions} shown={data.document.revision.id} />
          <Links id={id} links={data.links} />
          {user && hasRole(user, 'systemadmin', 'salesadmin') ? (
            <section aria-label="History">
              <Title order={3} size="h6" mb="xs">
                History
              </Title>
              <HistoryPanel type="document" id={id} />
            </section>
          ) : null}
        </Stack>
      ) : query.error ? (
        <ErrorAlert error={query.error} title="This document could not be loaded" onRetry={query.refetch} />
      ) : (
        <Skeleton height={400} aria-label="Loading" />
      )}
    </RecordDrawer>
  );
}

const LABELS = {
  docCategoryId: 'Category',
  title: 'Title',
  language: 'Language',
  label: 'Revision',
  validFrom: 'Valid from',
  validTo: 'Valid to',
};

function DocumentForm(props: {
  document: DocRow;
  newest: DocRow['revision'] | undefined;
  categories: DocCategory[];
  onSaved: (saved: DocRow) => void;
}) {
  const { document, newest = document.revision, categories, onSaved } = props;
  const record = {
    id: document.id,
    version: document.version,
    docCategoryId: document.docCategoryId,
    title: document.title,
    language: document.language,
    label: newest.label,
    validFrom: newest.validFrom,
    validTo: newest.validTo ?? '',
    file: null as File | null,
  };
  const form = useRecordForm({
    record,
    schema: DocEdit,
    save: ({ file, ...fields }: typeof record) =>
      api(ItemDocuments).saveItmDoc({ ...fields, ...(file ? { file } : {}) }),
    onSaved,
  });
  const { values, set, errors } = form;
  const error = (field: string) => (errors[field] ? { error: errors[field] } : {});
  return (
    <RecordForm form={form} labels={LABELS} label="Document" action={values.file ? 'Save new revision' : 'Save'}>
      <TextInput
        label="Title"
        required
        maxLength={300}
        value={values.title}
        onChange={(event) => set({ title: event.currentTarget.value })}
        {...error('title')}
      />
      <Group grow align="start">
        <Select
          label="Category"
          allowDeselect={false}
          data={categories.map(({ id, name, audience }) => ({ value: String(id), label: `${name} (${audience})` }))}
          value={String(values.docCategoryId)}
          onChange={(id) => set({ docCategoryId: Number(id) })}
          {...error('docCategoryId')}
        />
        <LanguageSelect value={values.language} onChange={(language) => set({ language })} />
      </Group>
      <FileInput
        label="New revision"
        description="A file creates a new revision. Without one, the current revision stays"
        placeholder="Choose a file"
        clearable
        value={values.file}
        onChange={(file) => set(file ? { file, label: '', validFrom: '', validTo: '' } : { ...record, file })}
        {...error('file')}
      />
      <TextInput
        label={values.file ? 'Label of the new revision' : 'Label of the newest revision'}
        placeholder="Rev. C"
        maxLength={60}
        value={values.label}
        onChange={(event) => set({ label: event.currentTarget.value })}
        {...error('label')}
      />
      <Group grow align="start">
        <DateField
          label="Valid from"
          description="Empty: today"
          value={values.validFrom}
          onChange={(validFrom) => set({ validFrom })}
          {...error('validFrom')}
        />
        <DateField
          label="Valid to"
          description="Empty: no end"
          value={values.validTo}
          onChange={(validTo) => set({ validTo })}
          {...error('validTo')}
        />
      </Group>
    </RecordForm>
  );
}

export function LanguageSelect({ value, onChange }: { value: string; onChange: (language: string) => void }) {
  const known = LANGUAGES.some((language) => language.value === value);
  return (
    <Select
      label="Language"
      allowDeselect={false}
      data={known ? LANGUAGES : [...LANGUAGES, { value, label: value }]}
      value={value}
      onChange={(next) => onChange(next ?? 'en')}
    />
  );
}

function Revisions({ revisions, shown }: { revisions: DocRow['revision'][]; shown: number }) {
  const download = useMutation({ ...api(ItemDocuments).DownloadItmDoc.mutation(), onSuccess: saveFile });
  return (
    <section aria-label="Revisions">
      <Title order={3} size="h6" mb="xs">
        Revisions
      </Title>
      <Stack gap="xs" component="ol" p={0} m={0} style={{ listStyle: 'none' }}>
        {revisions.map((revision) => (
          <li key={revision.id}>
            <Anchor
              component="button"
              type="button"
              size="sm"
              ta="left"
              onClick={() => download.mutate({ id: revision.id })}
            >
              {[revision.label, revision.name].filter(Boolean).join(' · ')}
            </Anchor>
            <Text size="xs" className="muted tabular">
              {revision.id === shown ? 'Shown to readers · ' : ''}
              {formatDate(revision.validFrom)} – {formatDate(revision.validTo) || 'no end'} · {sizeText(revision.size)}
              {revision.uploadedBy ? ` · ${revision.uploadedBy}` : ''}, {formatDate(revision.uploadedAt)}
            </Text>
          </li>
        ))}
      </Stack>
      <ErrorAlert error={download.error} title="The file could not be downloaded" onClose={() => download.reset()} />
    </section>
  );
}

function Links({ id, links }: { id: number; links: DocLink[] }) {
  const unlink = useMutation(api(ItemDocuments).deleteItemXDoc.mutation());
  const productIds = links.flatMap(({ productId }) => productId ?? []);
  return (
    <section aria-label="Linked to">
      <Title order={3} size="h6" mb="xs">
        Linked to
      </Title>
      <Stack gap="xs">
        {links.length === 0 ? <Text className="muted">Not linked to a product or item yet.</Text> : null}
        <Stack gap={2} component="ul" p={0} m={0} mah={320} style={{ listStyle: 'none', overflowY: 'auto' }}>
          {links.map((link) => (
            <Group component="li" key={link.id} justify="space-between" wrap="nowrap">
              {link.productId === null ? (
                <Text size="sm">Item {link.name}</Text>
              ) : (
                <Anchor size="sm" href={paths.product(link.productId)}>
                  {link.name}
                </Anchor>
              )}
              <Button
                size="compact-xs"
                variant="subtle"
                color="gray"
                aria-label={`Remove from ${link.name}`}
                onClick={() => unlink.mutate({ id: link.id })}
              >
                Remove
              </Button>
            </Group>
          ))}
        </Stack>
        <LinkForm docIds={[id]} exceptProductIds={productIds} />
        <ErrorAlert error={unlink.error} title="The link could not be removed" />
      </Stack>
    </section>
  );
}
