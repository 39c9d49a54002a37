// The actions on all selected pictures, and the undo of the last change.
import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { countOf } from '#platform/shared/count-of.ts';
import { AskDialog } from '#platform/ui/AskDialog.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { useKeys } from '#platform/ui/keys.tsx';
import { TickBar } from '#platform/ui/TickBar.tsx';
import type { Viewer } from './gallery.contract.ts';
import classes from './gallery.module.css';
import { ViewerChoice } from './PictureDrawer.tsx';
import type { Gallery, Placed } from './use-gallery.web.ts';

export function TickedBar({ gallery, onHide }: { gallery: Gallery; onHide: (placed: Placed[]) => void }) {
  const { ticked, undo, takeBack, remove, error } = gallery;
  const placed = [...ticked.values()];
  const isTicked = placed.length > 0;
  useKeys([
    // These keys work on the focused picture; this list only shows them under `?`.
    { key: 'ArrowRight', label: 'Next picture; ← previous', run: () => {}, disabled: true },
    { key: 'alt+ArrowRight', label: 'Move the picture later; Alt+← earlier', run: () => {}, disabled: true },
    { key: 'm', label: 'Make it the main picture', run: () => {}, disabled: true },
    { key: 'h', label: 'Hide pictures from roles', run: () => onHide(placed), disabled: !isTicked },
    { key: 'Delete', label: 'Remove pictures', run: () => remove.mutate(placed), disabled: !isTicked },
    { key: 'u', label: 'Undo the last change', run: () => undo && takeBack.mutate(undo), disabled: !undo },
  ]);
  if (!isTicked && !undo && !error) return null;
  return (
    <section className={`card ${classes['bar']}`} aria-label="Selected pictures" data-focus-group>
      <TickBar
        message={isTicked ? `${countOf(placed.length, 'picture')} selected` : undo?.message}
        isTicked={isTicked}
        onClear={gallery.untick}
        onUndo={undo ? () => takeBack.mutate(undo) : undefined}
        isUndoing={takeBack.isPending}
      >
        <Button size="compact-sm" variant="default" onClick={() => onHide(placed)}>
          Hide from roles…
        </Button>
        <Button size="compact-sm" variant="default" loading={remove.isPending} onClick={() => remove.mutate(placed)}>
          Remove
        </Button>
      </TickBar>
      <ErrorAlert error={error} title="Something went wrong" onClose={gallery.forget} />
    </section>
  );
}

/** Hides pictures from exactly the chosen roles. Preselects the roles that all of them are hidden from. */
export function HideDialog({ placed, gallery, onClose }: { placed: Placed[]; gallery: Gallery; onClose: () => void }) {
  const [first, ...others] = placed.map(({ picture }) => picture.hiddenRoles);
  const [hiddenRoles, setHidden] = useState<Viewer[]>(
    (first ?? []).filter((viewer) => others.every((other) => other.includes(viewer))),
  );
  const differ = others.some((other) => other.join() !== first?.join());
  return (
    <AskDialog
      title={`Visibility of ${countOf(placed.length, 'picture')}`}
      action={hiddenRoles.length > 0 ? 'Hide' : 'Show to everyone'}
      busy={gallery.hide.isPending}
      error={gallery.hide.error}
      onSubmit={() => gallery.hide.mutate({ placed, hiddenRoles }, { onSuccess: onClose })}
      onClose={onClose}
    >
      {differ ? (
        <Text size="sm" className="warning">
          These pictures are hidden from different roles now. Your choice applies to all of them.
        </Text>
      ) : null}
      <ViewerChoice value={hiddenRoles} onChange={setHidden} />
    </AskDialog>
  );
}
