// The words that the gallery uses for the viewers of pictures and for the stage of a picture.
import { ROLE_LABELS } from '#platform/shared/roles.ts';
import { type GalleryStage, VIEWERS, type Viewer } from './gallery.contract.ts';

export const VIEWER_LABELS: Record<Viewer, string> = { ...ROLE_LABELS, customer: 'Customer' };

export const STAGE_LABELS: Record<GalleryStage | 'refused', string> = {
  waiting: 'Waiting in the inbox',
  upload: 'Being stored',
  file: 'To be filed',
  filed: 'On a product',
  removed: 'Removed',
  refused: 'Refused',
};

/** The named viewers, each once, in the order of the roles. */
export function viewersOf(named: readonly string[]): Viewer[] {
  return VIEWERS.filter((viewer) => named.includes(viewer));
}

/** 'Sales representative, Customer'; 'no one' */
export function viewerWords(named: readonly string[]): string {
  return (
    viewersOf(named)
      .map((viewer) => VIEWER_LABELS[viewer])
      .join(', ') || 'no one'
  );
}
