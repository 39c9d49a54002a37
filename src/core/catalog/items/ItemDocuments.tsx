// The documents of an item that the reader may open.
import { Anchor, Group, Stack, Text, Title } from '@mantine/core';
import { IconFileText } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { api } from '#platform/api/client.web.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { saveFile } from '#platform/ui/save-file.web.ts';
import { type ItemPrices, ItemSearch } from './items.contract.ts';

export function ItemDocuments({ documents }: { documents: ItemPrices['documents'] }) {
  const open = useMutation({
    mutationFn: async (id: number) => saveFile(await api(ItemSearch).GetItemDocument({ id })),
    meta: { blocking: true },
  });
  if (documents.length === 0) return null;
  return (
    <section aria-label="Documents">
      <Title order={3} mb={4}>
        Documents
      </Title>
      <ErrorAlert error={open.error} title="The document could not be loaded" onClose={() => open.reset()} />
      <Stack gap={4}>
        {documents.map((document) => (
          <Group key={document.id} gap="xs" wrap="nowrap" align="start">
            <IconFileText size={16} aria-hidden style={{ flex: 'none', marginTop: 2 }} />
            <div>
              <Anchor
                component="button"
                type="button"
                size="sm"
                onClick={() => open.mutate(document.id)}
                ta="left"
                mr={6}
              >
                {document.title}
              </Anchor>
              <Text span size="xs" className="muted">
                {[document.category, document.label].filter(Boolean).join(' · ')} ·{' '}
                {Math.max(1, Math.round(document.size / 1024)).toLocaleString('en-US')} kB
              </Text>
            </div>
          </Group>
        ))}
      </Stack>
    </section>
  );
}
