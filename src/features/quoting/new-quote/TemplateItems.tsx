// The first items that a template adds to a new quote.
import { Group, Stack, Text } from '@mantine/core';
import { ItemName, Thumbnail } from '#features/catalogue/items/ItemMarks.tsx';
import type { QuoteTemplate } from '#features/quoting/quote-edit/quote-edit.contract.ts';

const SHOWN = 5;

export function TemplateItems({ template }: { template: QuoteTemplate }) {
  const items = template.items.filter(({ type, gone }) => type === 'item' && !gone);
  if (items.length === 0) return null;
  return (
    <Stack gap={6} component="ul" m={0} p={0} style={{ listStyle: 'none' }} aria-label={`Items of ${template.name}`}>
      {items.slice(0, SHOWN).map((item, index) => (
        <Group key={`${item.itemId} ${index}`} component="li" gap="xs" wrap="nowrap">
          <Thumbnail url={item.imgThumbnailUrl} size={32} />
          <Text size="sm" flex={1}>
            <b className="tabular">{item.itemNumber}</b> <ItemName item={item} />
          </Text>
          <Text size="sm" className="muted tabular">
            {item.qty} {item.unit}
          </Text>
        </Group>
      ))}
      {items.length > SHOWN ? (
        <Text component="li" size="sm" className="muted">
          and {items.length - SHOWN} more
        </Text>
      ) : null}
    </Stack>
  );
}
