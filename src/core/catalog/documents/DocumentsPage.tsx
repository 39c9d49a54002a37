// Lists documents by category and state, including those that end soon or have no links; uploads many at once.
import { Anchor, Button, Group, Select, Stack, Text } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { formatDate } from '#platform/shared/dates.ts';
import { paths } from '#platform/shared/paths.ts';
import { useAddress } from '#platform/ui/address.web.ts';
import { Chip } from '#platform/ui/Chip.tsx';
import { type Column, DataList } from '#platform/ui/DataList.tsx';
import { DropZone } from '#platform/ui/DropZone.tsx';
import { FilterSelect } from '#platform/ui/FilterSelect.tsx';
import { useKeys } from '#platform/ui/keys.tsx';
import { KeywordField, ListPage } from '#platform/ui/ListPage.tsx';
import { pageShown, useListAddress } from '#platform/ui/list-address.web.ts';
import { RecordDrawer } from '#platform/ui/RecordDrawer.tsx';
import { saveFile } from '#platform/ui/save-file.web.ts';
import { UploadList, useUploads } from '#platform/ui/Uploads.tsx';
import { CategoriesDialog } from './CategoriesDialog.tsx';
import { DocumentDrawer, LanguageSelect } from './DocumentDrawer.tsx';
import { languageName, STATE_LABELS, STATE_TONES } from './document-words.ts';
import { DOC_FILTERS, type DocCategory, type DocRow, ItemDocuments } from './documents.contract.ts';
import { LinkForm } from './LinkForm.tsx';

const PAGE_SIZE = 50;

export default function DocumentsPage() {
  const navigate = useNavigate();
  const address = useAddress();
  const list = useListAddress('documents', { keyword: '', category: '', state: '' }, { field: 'title', dir: 'asc' }, [
    'open',
  ]);
  const { filters } = list;
  const criteriaOf = ({ keyword, category, state: input }: typeof filters) => {
    const state = DOC_FILTERS.find((docFilter) => docFilter === input);
    const docCategoryId = /^[1-9]\d{0,8}$/.test(category) ? Number(category) : 0;
    return { keyword, docCategoryId, ...(state ? { state } : {}) };
  };
  const { state, docCategoryId } = criteriaOf(filters);
  const query = useQuery({
    ...api(ItemDocuments).getItmDocs.query({
      ...criteriaOf(filters),
      page: list.page,
      pageSize: PAGE_SIZE,
      sort: `${list.sort.field}.${list.sort.dir}`,
    }),
    placeholderData: keepPreviousData,
  });
  const categories = useQuery({
    ...api(ItemDocuments).GetItmDocCategories.query({}),
    meta: { global: 'The categories could not be loaded.' },
  });
  const exported = useMutation({ ...api(ItemDocuments).ExportItmDocs.mutation(), onSuccess: saveFile });
  const [uploading, setUploading] = useState(false);
  const [keeping, setKeeping] = useState(false);
  useKeys([{ key: 'a', label: 'Upload documents', run: () => setUploading(true) }]);
  const openId = /^[1-9]\d{0,8}$/.test(address['open'] ?? '') ? Number(address['open']) : null;
  const open = (id: number | null) => {
    const { open: _open, ...others } = address;
    void navigate({
      to: paths.itemDocuments,
      search: { ...others, page: others['page'] ?? '1', ...(id === null ? {} : { open: String(id) }) },
      replace: true,
      resetScroll: false,
    });
  };

  return (
    <ListPage
      title="Documents"
      hint="Brochures, instructions, data sheets. Each has revisions, and you can link it to any number of products and items."
      noun={['document', 'documents']}
      total={query.data?.total}
      countOf={(view) => api(ItemDocuments).getItmDocs({ ...criteriaOf(list.filtersOf(view)), page: 1, pageSize: 1 })}
      exported={{
        ...exported,
        mutate: () =>
          exported.mutate({ docCategoryId: docCategoryId || null, keyword: filters.keyword, state: state ?? null }),
      }}
      actions={
        <>
          <Button variant="default" onClick={() => setKeeping(true)}>
            Categories
          </Button>
          <Button
            leftSection={<IconUpload size={16} aria-hidden />}
            aria-keyshortcuts="a"
            onClick={() => setUploading(true)}
          >
            Upload
          </Button>
        </>
      }
      filters={
        <>
          <KeywordField label="Title" value={filters.keyword} onChange={(keyword) => list.filter({ keyword })} />
          <FilterSelect
            label="Category"
            w={190}
            all="All categories"
            choices={categories.data ?? []}
            value={filters.category}
            onChange={(next) => list.filter({ category: next })}
          />
          <FilterSelect
            label="State"
            w={170}
            all="All states"
            choices={DOC_FILTERS.map((value) => ({ value, label: STATE_LABELS[value] }))}
            value={state ?? ''}
            onChange={(next) => list.filter({ state: next })}
          />
        </>
      }
    >
      <DataList
        label="Documents"
        columns={columnsOf(open)}
        {...pageShown(query, list, PAGE_SIZE)}
        rowKey={(row) => row.id}
        onOpen={(row) => open(row.id)}
        card={(row) => (
          <Stack gap={2}>
            <Group justify="space-between" wrap="nowrap" align="start">
              <TitleLink row={row} onOpen={open} />
              <Chip tone={STATE_TONES[row.state]}>{STATE_LABELS[row.state]}</Chip>
            </Group>
            <Text size="sm" className="muted">
              {[row.category, languageName(row.language), row.revision.label].filter(Boolean).join(' · ')}
            </Text>
            <Text size="sm" className="muted tabular">
              {countOf(row.products, 'product')} · {countOf(row.items, 'item')} · {validity(row)}
            </Text>
          </Stack>
        )}
      />
      {uploading ? <UploadDrawer categories={categories.data ?? []} onClose={() => setUploading(false)} /> : null}
      {keeping ? <CategoriesDialog onClose={() => setKeeping(false)} /> : null}
      {openId === null ? null : (
        <DocumentDrawer key={openId} id={openId} categories={categories.data ?? []} onClose={() => open(null)} />
      )}
    </ListPage>
  );
}

function columnsOf(onOpen: (id: number) => void): Column<DocRow>[] {
  return [
    { field: 'title', title: 'Title', width: 320, render: (row) => <TitleLink row={row} onOpen={onOpen} /> },
    { field: 'category', title: 'Category', width: 160, render: (row) => row.category },
    { title: 'Audience', render: (row) => row.audience },
    { title: 'Language', render: (row) => languageName(row.language) },
    {
      title: 'Revision',
      width: 140,
      render: (row) => row.revision.label || (row.revisions > 1 ? `${row.revisions} revisions` : ''),
    },
    { field: 'validTo', title: 'Valid', render: (row) => <span className="tabular">{validity(row)}</span> },
    { field: 'products', title: 'Products', figure: true, render: (row) => row.products.toLocaleString('en-US') },
    { field: 'items', title: 'Items', figure: true, render: (row) => row.items.toLocaleString('en-US') },
    { title: 'State', render: (row) => <Chip tone={STATE_TONES[row.state]}>{STATE_LABELS[row.state]}</Chip> },
  ];
}

function validity({ revision }: DocRow): string {
  return `${formatDate(revision.validFrom)} – ${formatDate(revision.validTo) || 'no end'}`;
}

function TitleLink({ row, onOpen }: { row: DocRow; onOpen: (id: number) => void }) {
  return (
    <Anchor
      component="button"
      type="button"
      fw={600}
      ta="left"
      truncate
      maw="100%"
      display="block"
      title={row.title}
      onClick={() => onOpen(row.id)}
    >
      {row.title}
    </Anchor>
  );
}

/** Uploads many files at once, each as its own document. The user can retry each failed file. */
function UploadDrawer({ categories, onClose }: { categories: DocCategory[]; onClose: () => void }) {
  const queries = useQueryClient();
  const [categoryId, setCategoryId] = useState(categories[0]?.id ?? 0);
  const [language, setLanguage] = useState('en');
  const category = categories.find(({ id }) => id === categoryId) ?? categories[0];

  const [done, setDone] = useState<number[]>([]);
  const sent = useUploads<null>(async ({ file }) => {
    const { id } = await api(ItemDocuments).saveItmDoc({ docCategoryId: category?.id ?? 0, language, title: '', file });
    setDone((now) => [...now, id]);
  });
  const take = async (files: File[]) => {
    await sent.take(files, null);
    await queries.invalidateQueries({ queryKey: api(ItemDocuments).getItmDocs.key });
  };
  return (
    <RecordDrawer title="Upload documents" size="lg" onClose={onClose}>
      <Stack>
        <Group grow align="start">
          <Select
            label="Category"
            allowDeselect={false}
            data={categories.map(({ id, name, audience }) => ({ value: String(id), label: `${name} (${audience})` }))}
            value={category ? String(category.id) : null}
            onChange={(id) => setCategoryId(Number(id))}
          />
          <LanguageSelect value={language} onChange={setLanguage} />
        </Group>
        <DropZone
          title="Drop files here, or choose them"
          hint="PDF, pictures, Office files and text, 25 MB each. The name of a file becomes the title."
          label="Files"
          onFiles={(files) => void take(files)}
        />
        <UploadList label="Files" sent={sent} />
        {done.length > 0 ? (
          <section aria-label="Link the uploaded documents">
            <Text size="sm" mb={4}>
              Link {done.length === 1 ? 'it' : `all ${done.length}`} to what has {done.length === 1 ? 'it' : 'them'}:
            </Text>
            <LinkForm docIds={done} />
          </section>
        ) : null}
      </Stack>
    </RecordDrawer>
  );
}
