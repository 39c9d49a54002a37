// Chooses the product of pictures. For a single picture, it also shows the large size and the known details.
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { ProductSelect } from '#core/catalog/products/ProductSelect.tsx';
import { countOf } from '#platform/shared/count-of.ts';
import { formatInstant } from '#platform/shared/dates.ts';
import type { Named } from '#platform/shared/wire.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { Form } from '#platform/ui/Form.tsx';
import type { PictureRow } from '../../pictures.contract.ts';
import classes from './inbox.module.css';
import { ACTIONS, stageOf } from './inbox-words.web.ts';

type Props = {
  pictures: PictureRow[];
  busy: boolean;
  error: Error | null;
  onAssign: (product: Named) => void;
  onClose: () => void;
};

export function PictureDialog({ pictures, busy, error, onAssign, onClose }: Props) {
  const [only] = pictures;
  const single = pictures.length === 1 ? only : undefined;
  const [product, setProduct] = useState<Named | null>(single?.product ?? null);
  const may = pictures.some((picture) => ACTIONS[stageOf(picture) ?? 'removed'].includes('assign'));
  const same = single?.product?.id === product?.id;
  return (
    <Modal opened onClose={onClose} title={single?.name ?? countOf(pictures.length, 'picture')} size="lg">
      <Form onSubmit={() => product && !same && onAssign(product)}>
        <Stack>
          {single ? <About picture={single} /> : null}
          {may ? (
            <ProductSelect
              label={single ? 'Its product' : 'The product of all of them'}
              data-autofocus
              value={product}
              onChange={setProduct}
            />
          ) : null}
          <ErrorAlert error={error} title="Something went wrong" />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {may ? 'Cancel' : 'Close'}
            </Button>
            {may ? (
              <Button type="submit" loading={busy} disabled={!product || same}>
                Assign
              </Button>
            ) : null}
          </Group>
        </Stack>
      </Form>
    </Modal>
  );
}

function About({ picture }: { picture: PictureRow }) {
  const { largeUrl, version, name, sources, problem, width, height, size, createdBy, createdAt } = picture;
  return (
    <>
      {largeUrl ? (
        <img src={`${largeUrl}&v=${version}`} alt={name} className={classes['large']} />
      ) : (
        <Text size="sm" className="muted">
          There is nothing to show.
        </Text>
      )}
      <Text size="sm" className="muted">
        {[
          width ? `${width} × ${height} pixels` : '',
          `${(size / 1_000_000).toFixed(1)} MB`,
          `received ${formatInstant(createdAt)}${createdBy ? ` from ${createdBy}` : ''}`,
        ]
          .filter(Boolean)
          .join(' · ')}
        {sources.length > 1 ? `. Received as ${sources.join(', ')}.` : '.'}
      </Text>
      {problem ? <Text size="sm">{problem}</Text> : null}
    </>
  );
}
