// Saves a new quote with its rows and its template. Repeated presses of the button create it only once.
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { isPassing } from '#platform/api/http-error.ts';
import type { KeyedRow } from '#core/quoting/quote-edit/paste/paste-rows.ts';
import { QuoteEdit, type QuoteInput, type QuoteTemplate } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { newKey } from '#platform/shared/new-key.ts';

/** `onCreated` is called with the id of the quote. */
export function useCreateQuote(
  rows: readonly KeyedRow[],
  template: QuoteTemplate | null,
  onCreated: (quoteId: number) => void,
) {
  // Pressing again after a lost response returns the same quote.
  const [clientKey] = useState(newKey);
  const sent = useRef<QuoteInput>(null);
  return useMutation({
    mutationFn: async (quote: QuoteInput) => {
      const first = (sent.current ??= quote);
      const items = rows.map(({ item, ...row }) => ({ id: 0, itemId: item.itemId, ...row }));
      let { quote: saved } = await api(QuoteEdit).SaveSalesRepQuote({
        quote: { ...first, clientKey },
        ...(items.length > 0 ? { items } : {}),
      });
      if (JSON.stringify(quote) !== JSON.stringify(first)) {
        // The first request may have created the quote, so this saves the later input over it. The key belongs to the first input.
        const { id, version } = saved;
        ({ quote: saved } = await api(QuoteEdit).SaveSalesRepQuote({ quote: { ...quote, id, version } }));
      }
      // The quote exists now. The board reports later failures, where the user can fix them.
      const failure = template
        ? await api(QuoteEdit)
            .SaveQuoteTemplateForQuote({ quoteId: saved.id, templateId: template.id })
            .then(
              () => null,
              (error: Error) => error,
            )
        : null;
      return { id: saved.id, num: saved.num, failure };
    },
    meta: { blocking: true },
    onError: (error) => {
      // A refused request created nothing, so the next input is again the first one.
      if (!isPassing(error)) sent.current = null;
    },
    onSuccess: ({ id, failure }) => {
      if (failure) {
        notifications.show({
          color: 'red',
          title: `The lines of ${template?.name ?? 'the template'} were not added`,
          message: failure.message,
          autoClose: false,
        });
      }
      onCreated(id);
    },
  });
}
