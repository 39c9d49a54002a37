// Asks for which quantities a quote of the compared rows is made, makes it, and opens it.
import { Radio, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '#api/client.web.ts';
import { useSession } from '#features/people/auth/sessions/session.web.ts';
import { boardPath } from '#features/quoting/quotes/board-path.ts';
import { countOf } from '#shared/count-of.ts';
import { formatAmount } from '#shared/money.ts';
import { newKey } from '#shared/new-key.ts';
import { AskDialog } from '#ui/AskDialog.tsx';
import { useOnce } from '#ui/once.web.ts';
import { type Analysis, Savings } from '../savings.contract.ts';
import { QUANTITY_LABELS } from '../savings-labels.ts';
import { QUOTE_QUANTITIES, type QuoteQuantities } from '../savings-words.ts';

const MEANS: Record<QuoteQuantities, string> = {
  year: 'What they use in a year',
  month: 'A twelfth of a year, in whole units',
  order: 'One unit of each item',
};

type Props = { analysis: Analysis; onClose: () => void };

export function MakeQuotesDialog({ analysis, onClose }: Props) {
  const user = useSession();
  const navigate = useNavigate();
  const [quantities, setQuantities] = useState<QuoteQuantities>('year');
  // Pressing again after a lost answer returns the same quote.
  const [clientKey] = useState(newKey);
  const make = useMutation({
    mutationFn: () => api(Savings).MakeQuotes({ id: analysis.id, quantities, clientKey: `${clientKey}-${quantities}` }),
    meta: { blocking: true },
    onSuccess: async ({ quotes: [first] }) => {
      if (user && first) await navigate({ to: boardPath(user, first.id) });
    },
  });
  const once = useOnce(make.mutateAsync);
  const { totals, counts } = analysis;
  const open = counts.toLookAt + counts.noMatch;
  return (
    <AskDialog
      title="Make a quote"
      action="Make quote"
      busy={make.isPending}
      error={make.error}
      onSubmit={once}
      onClose={onClose}
    >
      <Text size="sm">
        {countOf(totals.rows, 'row')} for {analysis.facility.name}, {formatAmount(totals.ours, totals.currnIdx)} in a
        year, in sections by class. The lines keep the customer's item numbers.
      </Text>
      {open > 0 ? (
        <Text size="sm" className="warning">
          {countOf(open, 'row is', 'rows are')} not decided and will not be in it.
        </Text>
      ) : null}
      <Radio.Group
        label="Quantities"
        value={quantities}
        onChange={(value) => setQuantities(QUOTE_QUANTITIES.find((one) => one === value) ?? 'year')}
      >
        <Stack gap="xs" mt={4}>
          {QUOTE_QUANTITIES.map((one, index) => (
            <Radio
              key={one}
              value={one}
              label={QUANTITY_LABELS[one]}
              description={MEANS[one]}
              data-autofocus={index === 0 ? true : undefined}
            />
          ))}
        </Stack>
      </Radio.Group>
    </AskDialog>
  );
}
