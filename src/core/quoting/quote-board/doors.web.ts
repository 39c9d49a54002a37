// The doors of the board, where add-ons extend it (docs/addons.md).
import { door } from '#platform/addons/door.ts';
import type { LoadPart, PartDoor } from '#platform/addons/door-parts.tsx';
import type { QuoteEditData } from '#core/quoting/quote-edit/quote-edit.contract.ts';

/** What the request for a contract price preselects. Empty for nothing. */
export type RequestStart = { lineId?: number; tierId?: number };

/** `onRequest` opens the request for a contract price. `onShow` opens the right side of the board. */
export type BoardPanelProps = { onRequest: (start: RequestStart) => void; onShow: () => void };
/** `version` is the version of the quote on the screen. */
export type BoardNoteProps = { quoteId: number; version: number };
export type PriceRequestProps = { start: RequestStart; onClose: () => void };

/** An entry in the menu of the lines. */
export type LineTool = {
  label: string;
  isShown: (data: QuoteEditData) => boolean;
} & ({ to: (quoteId: number) => string } | { run: () => void });

/** Panels on the right side, below those of the core. */
export const boardPanels: PartDoor<BoardPanelProps> = {
  door: door<LoadPart<BoardPanelProps>>(),
  failed: 'A panel could not be loaded. Reload the page.',
};
/** Notes above the lines. */
export const boardNotes: PartDoor<BoardNoteProps> = {
  door: door<LoadPart<BoardNoteProps>>(),
  failed: '',
};
/** The dialog that requests a contract price. Without it, users cannot request one. */
export const priceRequest: PartDoor<PriceRequestProps> = {
  door: door<LoadPart<PriceRequestProps>>(),
  failed: 'The dialog could not be loaded. Reload the page.',
};
export const lineTools = door<LineTool>();
