// The quote's own fields on the board, with labels, values and choices. Each field is saved separately.
import { useQuery } from '@tanstack/react-query';
import { api } from '#platform/api/client.web.ts';
import { QuoteEdit, type QuotePatch } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { FIELD_WORDS } from '#core/quoting/quote-edit/settle/field-words.ts';
import { useBoard } from '../state/board.web.ts';

export const REPS = ['salesRep', 'csRep', 'isRep'] as const;

export function useQuoteFields() {
  const { quote, store, data } = useBoard();
  const lookups = useQuery({
    ...api(QuoteEdit).PopulateQuoteEditLookups.query({ facilityId: quote.facilityId }),
    staleTime: 300_000,
    meta: { global: 'The lists of people and terms could not be loaded.' },
  });
  const save = (patch: QuotePatch) => store.changeQuote(patch);
  const fieldOf = <F extends keyof QuotePatch & keyof typeof quote>(field: F) => ({
    field,
    label: FIELD_WORDS[field] ?? field,
    value: quote[field],
    onSave: (value: (typeof quote)[F]) => save({ [field]: value }),
  });
  const { commercial, notes } = data.editable;
  return { quote, lookups: lookups.data, save, of: fieldOf, locked: { commercial: !commercial, notes: !notes } };
}
