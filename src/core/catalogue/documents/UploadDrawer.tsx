// Uploads many files at once, each as its own document; a person can retry each failed file.
import { Group, Select, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { DropZone } from '#platform/ui/DropZone.tsx';
import { RecordDrawer } from '#platform/ui/RecordDrawer.tsx';
import { UploadList, useUploads } from '#platform/ui/Uploads.tsx';
import { LanguageSelect } from './DocumentDrawer.tsx';
import { type DocCategory, ItemDocuments } from './documents.contract.ts';
import { LinkForm } from './LinkForm.tsx';

export function UploadDrawer({ categories, onClose }: { categories: DocCategory[]; onClose: () => void }) {
  const queries = useQueryClient();
  const [categoryId, setCategoryId] = useState(categories[0]?.id ?? 0);
  const [language, setLanguage] = useState('en');
  const known = categories.find(({ id }) => id === categoryId) ?? categories[0];

  const [done, setDone] = useState<number[]>([]);
  const sent = useUploads<null>(async ({ file }) => {
    const { id } = await api(ItemDocuments).saveItmDoc({ docCategoryId: known?.id ?? 0, language, title: '', file });
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
            value={known ? String(known.id) : null}
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
          <section aria-label="Link what was uploaded">
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
