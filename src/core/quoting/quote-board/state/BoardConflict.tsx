// Lets the user resolve a conflict when two users changed the same field of the quote or of a line.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import type { OutputOf } from '#platform/api/endpoint.ts';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { FIELD_WORDS, valueWords } from '#core/quoting/quote-edit/settle/field-words.ts';
import { clashes } from '#core/quoting/quote-edit/settle/quote-merge.ts';
import { conflictOf, type Stored } from '#platform/shared/conflict.ts';
import { ConflictDialog } from '#platform/ui/ConflictDialog.tsx';
import { useBoard } from './board.web.ts';

export function BoardConflict() {
  const board = useBoard();
  const [busy, setBusy] = useState(false);
  const entry = board.pending.find((candidate) => candidate.state === 'conflict');
  const lookups = useQuery({
    ...api(QuoteEdit).PopulateQuoteEditLookups.query({ facilityId: board.quote.facilityId }),
    enabled: entry?.target === 'quote',
  });
  const conflict = conflictOf(entry?.error);
  if (!entry || !conflict) return null;
  const { current } = conflict;
  const line = entry.target === 'quote' ? null : board.data.items.find((item) => item.id === entry.target);
  const fields = clashes(entry, current);
  const names = namesIn(lookups.data, current);
  const choose = async (keep: readonly string[]) => {
    setBusy(true);
    // Also shows these values on the board.
    await board.store.reload();
    board.store.queue.resolve(entry.target, keep, current);
    setBusy(false);
  };
  return (
    <ConflictDialog
      conflict={conflict}
      what={line ? `line ${line.lineNo} (${line.itemNumber || line.description})` : 'this quote'}
      rows={fields.map((field) => ({
        label: FIELD_WORDS[field] ?? field,
        theirs: valueWords(field, current[field], names),
        mine: valueWords(field, entry.patch[field], names),
      }))}
      busy={busy}
      onTakeTheirs={() => void choose(Object.keys(entry.patch).filter((field) => !fields.includes(field)))}
      onKeepMine={() => void choose(Object.keys(entry.patch))}
    />
  );
}

/** The known names of the people and the facility that either side may have chosen. */
function namesIn(
  lookups: OutputOf<typeof QuoteEdit.PopulateQuoteEditLookups> | undefined,
  stored: Stored,
): ReadonlyMap<unknown, string> {
  const { salesReps = [], csReps = [], isReps = [] } = lookups ?? {};
  const held = ['salesRep', 'csRep', 'isRep'].map((rep) => (stored[rep] ?? {}) as { id?: number; name?: string });
  return new Map<unknown, string>([
    [stored['facilityId'], String(stored['facilityName'])],
    ...[...held, ...salesReps, ...csReps, ...isReps].map(({ id, name = '' }) => [id, name] as const),
  ]);
}
