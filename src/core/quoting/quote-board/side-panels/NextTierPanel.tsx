// Shows the sales representative what the quote would save at another tier of its contracts, while the quote can be changed.
import { Anchor, Stack, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api } from '#platform/api/client.web.ts';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { ContractWhatIf, tierLabel } from '#core/quoting/next-tier/next-tier.contract.ts';
import { formatAmount } from '#platform/shared/money.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { useBoard } from '../state/board.web.ts';
import type { RequestStart } from '../doors.web.ts';
import { useMayRequest } from './may-request.web.ts';

export function NextTierPanel({ onRequest }: { onRequest: (start: RequestStart) => void }) {
  const session = useSession();
  const mayRequest = useMayRequest();
  const { quote, items } = useBoard().data;
  const usesContract = items.some(
    (line) => line.active && (line.priceSource === 'Contract' || line.priceSource === 'Promotion'),
  );
  const mayAsk = usesContract && session?.gpoTabHidden === false;
  const { data, error } = useQuery({
    ...api(ContractWhatIf).WhatIf.query({ quoteId: quote.id }),
    queryKey: [...api(ContractWhatIf).WhatIf.query({ quoteId: quote.id }).queryKey, quote.version],
    enabled: mayAsk,
    placeholderData: keepPreviousData,
  });
  if (mayAsk && error) return <ErrorAlert error={error} title="The next tier could not be calculated" />;
  if (!mayAsk || !data || data.length === 0) return null;
  return (
    <section className="card" aria-labelledby="next-tier-title">
      <Stack p="sm" gap={6}>
        <Title order={2} id="next-tier-title">
          Next tier
        </Title>
        {data.map((tier) => (
          <div key={tier.tierId}>
            <Text size="sm">
              At {tierLabel(tier.tierNo, tier.tierName)} of {tier.number}, this quote would cost{' '}
              <b className="tabular">{formatAmount(tier.saving, quote.currnIdx)}</b> less.
            </Text>
            <Text size="xs" className="muted">
              {[
                tier.requirement
                  ? `Requirement: ${tier.requirement}.`
                  : tier.needsLoc
                    ? 'Requires a letter of commitment.'
                    : '',
                tier.lines === 1 ? 'Affects 1 line.' : `Affects ${tier.lines} lines.`,
              ]
                .filter(Boolean)
                .join(' ')}
            </Text>
            {mayRequest ? (
              <Anchor component="button" type="button" size="xs" onClick={() => onRequest({ tierId: tier.tierId })}>
                Request this tier
              </Anchor>
            ) : null}
          </div>
        ))}
        <Text size="xs" className="muted">
          Before freight and tax. Typed prices do not change.
        </Text>
      </Stack>
    </section>
  );
}
