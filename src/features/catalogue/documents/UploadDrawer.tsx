// Uploads many files at once, each a document of its own; one that fails is tried again alone.
import { Button, Group, Select, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { api } from '#api/client.web.ts';
import { DropZone } from '#ui/DropZone.tsx';
import { RecordDrawer } from '#ui/RecordDrawer.tsx';
import { LanguageSelect } from './DocumentDrawer.tsx';
import { sizeText } from './document-words.ts';
import { type DocCategory, ItemDocuments } from './documents.contract.ts';
import { LinkForm } from './LinkForm.tsx';

type Sending = {
  key: number;
  file: File;
  state: 'waits' | 'sends' | 'done' | 'failed';
  problem: string;
  docId: number | null;
};

/** So many travel at once. */
const AT_ONCE = 3;

export function UploadDrawer({ categories, onClose }: { categories: DocCategory[]; onClose: () => void }) {
  const queries = useQueryClient();
  const [categoryId, setCategoryId] = useState(categories[0]?.id ?? 0);
  const [language, setLanguage] = useState('en');
  const [sendings, setSendings] = useState<Sending[]>([]);
  const keys = useRef(0);
  const known = categories.find(({ id }) => id === categoryId) ?? categories[0];

  const change = (key: number, patch: Partial<Sending>) =>
    setSendings((now) => now.map((one) => (one.key === key ? { ...one, ...patch } : one)));
  const send = async (sending: Sending) => {
    change(sending.key, { state: 'sends', problem: '' });
    try {
      const { id } = await api(ItemDocuments).saveItmDoc({
        docCategoryId: known?.id ?? 0,
        language,
        title: '',
        file: sending.file,
      });
      change(sending.key, { state: 'done', docId: id });
    } catch (error) {
      change(sending.key, { state: 'failed', problem: (error as Error).message });
    }
  };
  const take = async (files: File[]) => {
    const added = files.map(
      (file): Sending => ({ key: ++keys.current, file, state: 'waits', problem: '', docId: null }),
    );
    setSendings((now) => [...now, ...added]);
    const waiting = [...added];
    const work = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) await send(next);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    await queries.invalidateQueries({ queryKey: api(ItemDocuments).getItmDocs.key });
  };
  const done = sendings.flatMap(({ docId }) => docId ?? []);
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
        <Stack gap={4} component="ul" p={0} m={0} style={{ listStyle: 'none' }} aria-label="Files">
          {sendings.map((sending) => (
            <Group component="li" key={sending.key} justify="space-between" wrap="nowrap" align="start">
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                {sending.file.name} <span className="muted">{sizeText(sending.file.size)}</span>
                {sending.problem ? (
                  <Text span size="sm" c="red" display="block" role="alert">
                    {sending.problem}
                  </Text>
                ) : null}
              </Text>
              {sending.state === 'failed' ? (
                <Button size="compact-xs" variant="default" onClick={() => void send(sending)}>
                  Try again
                </Button>
              ) : (
                <Text size="xs" className="muted" flex="none" role="status">
                  {{ waits: 'waits', sends: 'sending…', done: 'saved', failed: '' }[sending.state]}
                </Text>
              )}
            </Group>
          ))}
        </Stack>
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
