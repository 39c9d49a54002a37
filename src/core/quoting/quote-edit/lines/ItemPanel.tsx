// Shows a line's item beside the form: product name, pictures, documents.
import { Group, Stack, Text } from '@mantine/core';
import { ItemDocuments } from '#core/catalog/items/ItemDocuments.tsx';
import { Thumbnail } from '#core/catalog/items/ItemMarks.tsx';
import { ItemPictures } from '#core/catalog/items/ItemPictures.tsx';
import type { ItemPrices } from '#core/catalog/items/items.contract.ts';

type Props = {
  /** What the line already contains about the item, until the rest is loaded. */
  first: { productName: string; imgThumbnailUrl: string | null } | null;
  chosen: ItemPrices | undefined;
};

/** Shows nothing when the item is hidden or cannot be read, because the line does not need it. */
export default function ItemPanel({ first, chosen: data }: Props) {
  const look = data?.item ?? first;
  if (!look) return null;
  const { productName, imgThumbnailUrl } = look;
  const pictures = data?.item.images ?? [];
  const documents = data?.documents ?? [];
  if (!productName && !imgThumbnailUrl && pictures.length === 0 && documents.length === 0) return null;
  return (
    <Stack gap="sm" component="section" aria-label="About the item">
      <Group align="start" gap="sm">
        {pictures.length > 0 ? (
          <ItemPictures images={pictures} name={productName || (data?.item.description ?? '')} />
        ) : imgThumbnailUrl ? (
          <Thumbnail url={imgThumbnailUrl} size={140} />
        ) : null}
        <div style={{ flex: 1, minWidth: 120 }}>
          {productName ? <Text size="sm">{productName}</Text> : null}
          {data?.item.brand ? (
            <Text size="sm" className="muted">
              {data.item.brand}
            </Text>
          ) : null}
          {data?.item.replacedBy ? <Text size="sm">Replaced by {data.item.replacedBy}</Text> : null}
        </div>
      </Group>
      <ItemDocuments documents={documents} />
    </Stack>
  );
}
