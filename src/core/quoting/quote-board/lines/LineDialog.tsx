// The dialogs over the lines: pasted rows, templates, the reason for a price, and changes to all selected lines.
import { useMemo } from 'react';
import type { LinePatch, QuoteItem } from '#core/quoting/quote-edit/lines/quote-item.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { later } from '#platform/ui/later.tsx';
import { isLinked, mayEditPrice } from './line-words.ts';
import { QuantityDialog } from './selection/QuantityDialog.tsx';
import { DiscountDialog, PriceReasonDialog } from './selection/ReasonDialog.tsx';
import { useBoard } from '../state/board.web.ts';

/** The dialogs are loaded later, so that the board opens faster. */
const PasteDialog = later(() => import('#core/quoting/quote-edit/paste/PasteDialog.tsx'), {
  loading: <></>,
  failed: 'The dialog for pasted rows could not be loaded.',
});
const TemplateDialog = later(() => import('./templates/TemplateDialog.tsx'), {
  loading: <></>,
  failed: 'The templates could not be loaded.',
});

export type Dialog =
  | { kind: 'paste'; text: string }
  | { kind: 'price'; item: QuoteItem; patch: Pick<LinePatch, 'unitPrice' | 'discountPct'> }
  | { kind: 'discount' | 'quantity' | 'template' };

type Props = {
  dialog: Dialog;
  /** The selected lines. */
  lines: QuoteItem[];
  /** Called after the selected lines are saved. */
  onSaved: () => void;
  onClose: () => void;
};

export function LineDialog({ dialog, lines, onSaved, onClose }: Props) {
  const { data, store } = useBoard();
  const { id, currnIdx, facilityId } = data.quote;
  const pasteInto = useMemo(() => ({ id, currnIdx, facilityId }), [id, currnIdx, facilityId]);
  const change = async (patchOf: (item: QuoteItem) => LinePatch) => {
    const changed = lines
      .map((item) => ({ ...patchOf(item), id: item.id }))
      .filter((line) => Object.keys(line).length > 1);
    await store.saveLines(changed, countOf(changed.length, 'line'));
    onSaved();
  };
  switch (dialog.kind) {
    case 'paste':
      return (
        <PasteDialog
          text={dialog.text}
          quote={pasteInto}
          onAdd={(rows) =>
            store.saveLines(
              rows.map(({ item, ...row }) => ({ id: 0, itemId: item.itemId, ...row })),
              countOf(rows.length, 'pasted line'),
            )
          }
          onClose={onClose}
        />
      );
    case 'template':
      return <TemplateDialog onClose={onClose} />;
    case 'price':
      return (
        <PriceReasonDialog
          item={dialog.item}
          patch={dialog.patch}
          currnIdx={currnIdx}
          onClose={onClose}
          onSave={(patch) => {
            store.changeLine(dialog.item, patch);
            onClose();
          }}
        />
      );
    case 'discount':
      return <DiscountDialog lines={lines} onClose={onClose} onSave={change} />;
    case 'quantity':
      return (
        <QuantityDialog
          lines={lines.filter(mayEditPrice)}
          onClose={onClose}
          onSave={(factor) =>
            change((item) =>
              mayEditPrice(item) && !isLinked(item) ? { qty: Math.round(item.qty * factor * 10_000) / 10_000 } : {},
            )
          }
        />
      );
  }
}
