// The pictures of one product on its page: order, text, viewers, and uploads straight to the product.
import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { DropZone } from '#platform/ui/DropZone.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { ItemImageGallery } from './gallery.contract.ts';
import { PictureDrawer } from './PictureDrawer.tsx';
import { PictureShelf } from './PictureShelf.tsx';
import { HideDialog, TickedBar } from './TickedBar.tsx';
import { type Placed, useGallery } from './use-gallery.web.ts';
import { useUploads } from './use-uploads.web.ts';

/** The interval at which the page checks pending pictures, in milliseconds. */
const LOOK_EVERY = 1_500;

export function ProductPicturesPanel({ productId }: { productId: number }) {
  const gallery = useGallery();
  const [opened, setOpened] = useState<Placed | null>(null);
  const [hiding, setHiding] = useState<Placed[] | null>(null);
  const [isWaiting, setWaiting] = useState(false);
  const query = useQuery({
    ...api(ItemImageGallery).SearchItemImageAdvanced.query({ productId }),
    refetchInterval: isWaiting ? LOOK_EVERY : false,
  });
  const product = query.data?.records[0];
  const uploads = useUploads(productId, { product, readAt: query.dataUpdatedAt }, setWaiting);
  if (!product) {
    return query.error ? (
      <ErrorAlert error={query.error} title="The pictures could not be loaded" onRetry={query.refetch} />
    ) : (
      <Skeleton height={220} aria-label="Loading" />
    );
  }
  const stuck = product.coming.filter(({ pictureId }) => !uploads.isOurs(pictureId));
  return (
    <Stack>
      <TickedBar gallery={gallery} onHide={setHiding} />
      <PictureShelf
        product={product}
        gallery={gallery}
        onOpen={(picture) => setOpened({ picture, product })}
        onHide={(picture) => setHiding([{ picture, product }])}
      />
      {stuck.length > 0 ? (
        <Group>
          <Button size="compact-sm" variant="default" onClick={() => uploads.goOn(stuck)}>
            {stuck.length === 1 ? 'Add it to the product' : `Add these ${stuck.length} to the product`}
          </Button>
        </Group>
      ) : null}
      <DropZone
        title="Drop pictures here, or choose them"
        hint="JPEG, PNG, WebP, GIF or TIFF, 25 MB each. They are added directly to this product."
        label="Pictures"
        accept="image/*"
        onFiles={uploads.send}
      />
      <Stack gap={4} component="ul" p={0} m={0} style={{ listStyle: 'none' }} aria-label="Files">
        {uploads.sendings.map(({ key, name, status, problem, known }) => (
          <Text component="li" size="sm" key={key} style={{ overflowWrap: 'anywhere' }}>
            {name}{' '}
            {problem ? (
              <Text span c="red" role="alert">
                {problem}
              </Text>
            ) : (
              <span className="muted" role="status">
                {status}
              </span>
            )}{' '}
            {known === null ? null : (
              <Button
                size="compact-xs"
                variant="default"
                aria-label={`Show ${name} on this product`}
                onClick={() => void uploads.assign(key, known)}
              >
                Show it here
              </Button>
            )}
          </Text>
        ))}
      </Stack>
      {opened ? <PictureDrawer placed={opened} onClose={() => setOpened(null)} /> : null}
      {hiding ? <HideDialog placed={hiding} gallery={gallery} onClose={() => setHiding(null)} /> : null}
    </Stack>
  );
}
