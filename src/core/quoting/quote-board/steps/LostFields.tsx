// The optional fields of Mark Lost: who got the order, and at what price.
import { Autocomplete, Group, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api } from '#platform/api/client.web.ts';
import { QuoteWorkflow } from '#core/quoting/workflow-calls/workflow-calls.contract.ts';
import { currencyOf } from '#platform/shared/money.ts';
import { readMoney } from '#platform/shared/typed-money.ts';

/** As typed. */
export type Competitor = { name: string; price: string };

const priceIn = ({ price }: Competitor, currnIdx: number) => readMoney(price, currnIdx, { decimals: 2 });

export function competitorProblem(typed: Competitor, currnIdx: number): string {
  return typed.price.trim() === '' ? '' : priceIn(typed, currnIdx).problem;
}

export function competitorInput(typed: Competitor, currnIdx: number) {
  return {
    lostCompetitor: typed.name.trim() || null,
    lostCompetitorPrice: typed.price.trim() === '' ? null : priceIn(typed, currnIdx).value,
  };
}

type Props = { typed: Competitor; onType: (typed: Competitor) => void; currnIdx: number };

export function LostFields({ typed, onType, currnIdx }: Props) {
  // If the names cannot be loaded, users can still type one.
  const known = useQuery({ ...api(QuoteWorkflow).GetCompetitors.query({}), staleTime: 60_000 });
  return (
    <Group grow align="flex-start">
      <Autocomplete
        label="Competitor"
        data={known.data?.names ?? []}
        limit={20}
        // The open list would hide the other fields.
        openOnFocus={false}
        maxLength={100}
        value={typed.name}
        onChange={(name) => onType({ ...typed, name })}
      />
      <TextInput
        label={`Their price (${currencyOf(currnIdx)})`}
        inputMode="decimal"
        autoComplete="off"
        value={typed.price}
        error={competitorProblem(typed, currnIdx) || undefined}
        onChange={(event) => onType({ ...typed, price: event.currentTarget.value })}
      />
    </Group>
  );
}
