// The pictures of one product in order, which the user selects, opens and moves. Also shows removed and pending pictures.
import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type DragEvent, type KeyboardEvent, useState } from 'react';
import { formatInstant } from '#platform/shared/dates.ts';
import { paths } from '#platform/shared/paths.ts';
import { Chip } from '#platform/ui/Chip.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import type { GalleryProduct, PlacedPicture } from './gallery.contract.ts';
import { STAGE_LABELS } from './gallery-words.ts';
import classes from './gallery.module.css';
import { PictureTile, type TileAction } from './PictureTile.tsx';
import type { Gallery } from './use-gallery.web.ts';
import { useOrder } from './use-order.web.ts';

type Props = {
  product: GalleryProduct;
  gallery: Gallery;
  onOpen: (picture: PlacedPicture) => void;
  onHide: (picture: PlacedPicture) => void;
};

/** The browser's data type for a picture that is being dragged. */
const DRAGGED = 'application/x-product-picture';

export function PictureShelf({ product, gallery, onOpen, onHide }: Props) {
  const { shown, place, error, forget } = useOrder(product.id, product.pictures);
  const [message, setMessage] = useState('');
  const ids = shown.map(({ id }) => id);

  const reorder = (next: number[], picture: PlacedPicture) => {
    if (next.join() === ids.join()) return;
    setMessage(`${picture.name} is now picture ${next.indexOf(picture.id) + 1} of ${next.length}.`);
    gallery.setUndo({
      message: `The pictures of ${product.name} are in a new order.`,
      undo: async () => {
        if (!(await place(ids))) throw new Error('The order could not be restored. Check the pictures.');
        return 'Order restored.';
      },
    });
    void place(next);
    // A tile that moves within the page loses the keyboard focus.
    requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-tile="${picture.id}"]`)?.focus());
  };
  /** Puts the picture before or after another one; 0 means the beginning. */
  const move = (picture: PlacedPicture, to: number) => {
    const others = ids.filter((id) => id !== picture.id);
    const at = Math.max(0, Math.min(others.length, to));
    reorder([...others.slice(0, at), picture.id, ...others.slice(at)], picture);
  };
  const act = (picture: PlacedPicture, action: TileAction) => {
    const placed = { picture, product };
    const at = ids.indexOf(picture.id);
    const run: Record<TileAction, () => void> = {
      open: () => onOpen(picture),
      tick: () => gallery.tick([placed], !gallery.ticked.has(picture.id)),
      main: () => move(picture, 0),
      earlier: () => move(picture, at - 1),
      later: () => move(picture, at + 1),
      hide: () => onHide(picture),
      remove: () => gallery.remove.mutate([placed]),
    };
    run[action]();
  };
  const onKeyDown = (event: KeyboardEvent, picture: PlacedPicture) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step && event.altKey) {
      event.preventDefault();
      act(picture, step === 1 ? 'later' : 'earlier');
    } else if (step) {
      const tiles = [...document.querySelectorAll<HTMLElement>('[data-tile]')];
      const next = tiles[tiles.findIndex((tile) => tile.dataset['tile'] === String(picture.id)) + step];
      if (!next) return;
      event.preventDefault();
      next.focus();
    } else if (!event.ctrlKey && !event.metaKey && !event.altKey) {
      const action = ({ ' ': 'tick', Delete: 'remove', m: 'main', h: 'hide' } as const)[event.key];
      // The keys of the page apply this action to all selected pictures.
      const isForTicked = (action === 'remove' || action === 'hide') && gallery.ticked.has(picture.id);
      if (!action || isForTicked) return;
      event.preventDefault();
      act(picture, action);
    }
  };

  return (
    <Stack gap="xs">
      {shown.length > 0 ? (
        <ul
          className={classes['shelf']}
          aria-label={`Pictures of ${product.name}`}
          {...dragging((id, to, side) => {
            const picture = shown.find((candidate) => candidate.id === id);
            const others = ids.filter((candidate) => candidate !== id);
            if (picture && to !== id) move(picture, others.indexOf(to) + (side === 'behind' ? 1 : 0));
          })}
        >
          {shown.map((picture, at) => (
            <PictureTile
              key={picture.id}
              picture={picture}
              at={at}
              count={shown.length}
              ticked={gallery.ticked.has(picture.id)}
              onAct={(action) => act(picture, action)}
              onKeyDown={(event) => onKeyDown(event, picture)}
            />
          ))}
        </ul>
      ) : (
        <Text size="sm" className="muted">
          No picture yet.
        </Text>
      )}
      <span className="visually-hidden" role="status">
        {message}
      </span>
      <ErrorAlert error={error} title="The picture could not be moved" onClose={forget} />
      {product.coming.length > 0 ? (
        <Text size="sm" className="muted">
          {product.coming.map(({ name, stage }) => `${name}: ${STAGE_LABELS[stage].toLowerCase()}`).join(' · ')}{' '}
          <Anchor component={Link} to={paths.imageInbox} underline="always">
            Image inbox
          </Anchor>
        </Text>
      ) : null}
      <Removed product={product} gallery={gallery} />
    </Stack>
  );
}

function Removed({ product: { removed, name: product }, gallery }: Pick<Props, 'product' | 'gallery'>) {
  if (removed.length === 0) return null;
  return (
    <Stack gap={4} component="ul" p={0} m={0} style={{ listStyle: 'none' }} aria-label={`Removed from ${product}`}>
      {removed.map(({ id, version, name, url, until }) => (
        <Group component="li" key={id} gap="xs" wrap="nowrap">
          {url ? <img className={classes['small']} src={url} alt="" width={40} height={40} loading="lazy" /> : null}
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            <Chip tone="orange">Removed</Chip> {name}{' '}
            <span className="muted tabular">can be restored until {formatInstant(until)}</span>
          </Text>
          <Button
            size="compact-xs"
            variant="default"
            flex="none"
            aria-label={`Restore ${name}`}
            loading={gallery.bringBack.isPending && gallery.bringBack.variables.id === id}
            onClick={() => gallery.bringBack.mutate({ id, version })}
          >
            Restore
          </Button>
        </Group>
      ))}
    </Stack>
  );
}

type Side = 'before' | 'behind';

/** Lets the user drag tiles to another tile of the same shelf. */
function dragging(onDropped: (id: number, to: number, side: Side) => void) {
  const tileOf = ({ target }: DragEvent) =>
    target instanceof Element ? target.closest<HTMLElement>('[data-place]') : null;
  const sideIn = (tile: HTMLElement, event: DragEvent): Side => {
    const { left, width } = tile.getBoundingClientRect();
    return event.clientX < left + width / 2 ? 'before' : 'behind';
  };
  const unmark = ({ currentTarget }: DragEvent) => {
    for (const tile of currentTarget.querySelectorAll('[data-drop]')) tile.removeAttribute('data-drop');
  };
  /** A picture of another product stays in its place. */
  const isOurs = ({ currentTarget }: DragEvent) => currentTarget.querySelector('[data-dragged]') !== null;
  return {
    onDragStart: (event: DragEvent) => {
      const tile = tileOf(event);
      if (!tile) return;
      event.dataTransfer.effectAllowed = 'move';
      event.dataTransfer.setData(DRAGGED, tile.dataset['place'] ?? '');
      tile.dataset['dragged'] = '';
    },
    onDragOver: (event: DragEvent) => {
      const tile = tileOf(event);
      if (!tile || !isOurs(event)) return;
      event.preventDefault();
      unmark(event);
      tile.dataset['drop'] = sideIn(tile, event);
    },
    onDragEnd: (event: DragEvent) => {
      unmark(event);
      event.currentTarget.querySelector('[data-dragged]')?.removeAttribute('data-dragged');
    },
    onDrop: (event: DragEvent) => {
      const tile = tileOf(event);
      const id = Number(event.dataTransfer.getData(DRAGGED));
      unmark(event);
      if (!tile || !id || !isOurs(event)) return;
      event.preventDefault();
      onDropped(id, Number(tile.dataset['place']), sideIn(tile, event));
    },
  };
}
