// The lines of a contract on a day, with each tier's price per unit and per each.
import { Anchor, Group, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { Contract, type ContractLine, type ContractTier } from '#core/prices/contracts/contracts.contract.ts';
import { AddLineDrawer } from '#core/prices/contracts/lines/AddLineDrawer.tsx';
import { LineDrawer } from '#core/prices/contracts/lines/LineDrawer.tsx';
import { unitInWords } from '#core/prices/contracts/lines/line-words.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { formatDate, parseDate } from '#platform/shared/dates.ts';
import { formatPrice, pricesAligned } from '#platform/shared/money.ts';
import { AddButton } from '#platform/ui/AddButton.tsx';
import { Chip } from '#platform/ui/Chip.tsx';
import { type Column, DataList } from '#platform/ui/DataList.tsx';
import { DateFilter } from '#platform/ui/DateFilter.tsx';
import { KeywordField } from '#platform/ui/ListPage.tsx';
import listClasses from '#platform/ui/list-page.module.css';
import { pageShown } from '#platform/ui/list-address.web.ts';
import type { ContractTab } from './contract-tab.web.ts';
import { ImportLink } from './ImportLink.tsx';

const PAGE_SIZE = 50;

export function LinesPanel({ data, list }: ContractTab) {
  const { contract, tiers, today } = data;
  const { keyword, day: typedDay } = list.filters;
  const day = parseDate(typedDay) ?? today;
  const criteria = { contractId: contract.id, keyword, day, page: list.page, pageSize: PAGE_SIZE, sort: list.sort };
  const query = useQuery({ ...api(Contract).GetLines.query(criteria), placeholderData: keepPreviousData });
  const visible = tiers.filter(({ priced }) => priced);
  const mayEdit = data.allowedActions.includes('Edit');
  const [openId, setOpenId] = useState<number | null>(null);
  const [adding, setAdding] = useState(false);
  const opened = query.data?.records.find(({ id }) => id === openId);
  return (
    <section className="card" aria-label="Lines">
      <Group px="md" py="xs" justify="space-between" gap="sm">
        <Group gap="sm" align="center" className={listClasses['filters']}>
          <KeywordField
            label="Item # or description"
            value={keyword}
            onChange={(next) => list.filter({ keyword: next })}
          />
          <DateFilter
            label="Prices on"
            value={day}
            onChange={(next) => list.filter({ day: next === today ? '' : next })}
          />
          <Text size="sm" className="muted" role="status">
            {query.data ? countOf(query.data.total, 'line') : ''}
          </Text>
        </Group>
        {mayEdit ? (
          <Group gap="xs">
            <ImportLink data={data} kind="contract-prices" />
            <AddButton label="Add Line" onAdd={() => setAdding(true)} />
          </Group>
        ) : null}
      </Group>
      <div style={{ borderTop: '1px solid var(--app-line)' }}>
        <DataList
          label="Lines"
          columns={columnsOf(visible, contract.currnIdx, day, setOpenId, query.data?.records ?? [])}
          {...pageShown(query, list, PAGE_SIZE)}
          rowKey={(line) => line.id}
          onOpen={(line) => setOpenId(line.id)}
          empty={keyword ? 'No line matches.' : 'No line yet.'}
          card={(line) => (
            <LineCard line={line} tiers={visible} currnIdx={contract.currnIdx} day={day} onOpen={setOpenId} />
          )}
        />
      </div>
      {opened ? (
        <LineDrawer
          key={opened.id}
          contractId={contract.id}
          currnIdx={contract.currnIdx}
          line={opened}
          tiers={visible}
          today={today}
          mayEdit={mayEdit}
          onClose={() => setOpenId(null)}
        />
      ) : null}
      {adding ? (
        <AddLineDrawer
          contractId={contract.id}
          onAdded={(itemNumber) => {
            setAdding(false);
            list.filter({ keyword: itemNumber });
          }}
          onClose={() => setAdding(false)}
        />
      ) : null}
    </section>
  );
}

function columnsOf(
  tiers: ContractTier[],
  currnIdx: number,
  day: string,
  onOpen: (id: number) => void,
  lines: readonly ContractLine[],
): Column<ContractLine>[] {
  const writers = new Map(tiers.map((tier) => [tier.id, pricesOfTier(lines, tier)]));
  return [
    { field: 'itemNumber', title: 'Item #', render: (line) => <OpenLine line={line} onOpen={onOpen} /> },
    {
      field: 'description',
      title: 'Description',
      width: 260,
      render: (line) => <span title={line.description}>{line.description}</span>,
    },
    { field: 'sellingRank', title: 'Rank', render: (line) => line.sellingRank || '–' },
    { field: 'unit', title: 'Unit', render: unitInWords },
    ...tiers.map((tier) => ({
      title: `${tier.tierNo}. ${tier.name}`,
      figure: true,
      render: (line: ContractLine) => (
        <PriceOf line={line} tier={tier} currnIdx={currnIdx} write={writers.get(tier.id)} />
      ),
    })),
    { field: 'to', title: 'Line holds', render: (line) => <Holds line={line} day={day} /> },
  ];
}

/** Formats the prices of a tier as one aligned column, and the prices per each as another. */
function pricesOfTier(lines: readonly ContractLine[], tier: ContractTier) {
  const prices = lines.flatMap((line) => line.prices.filter(({ tierId }) => tierId === tier.id));
  return {
    unit: pricesAligned(prices),
    each: pricesAligned(prices.map(({ price, perEach }) => ({ price: perEach, agreed: price }))),
  };
}

type PriceOfProps = {
  line: ContractLine;
  tier: ContractTier;
  currnIdx: number;
  write?: ReturnType<typeof pricesOfTier> | undefined;
};

/** Shows the price per unit, the price per each below it, and the next price. */
function PriceOf({ line, tier, currnIdx, write = pricesOfTier([line], tier) }: PriceOfProps) {
  const price = line.prices.find(({ tierId }) => tierId === tier.id);
  const next = line.coming.find(({ tierId }) => tierId === tier.id);
  const small = (text: string) => (
    <Text span size="xs" className="muted" display="block">
      {text}
    </Text>
  );
  return (
    <>
      {price ? write.unit(price.price, currnIdx) : '–'}
      {price && line.unit !== line.baseUnit
        ? small(
            price.perEach === null
              ? 'not per each'
              : `${write.each(price.perEach, currnIdx, price.price)} / ${line.baseUnit}`,
          )
        : null}
      {next ? small(`${formatPrice(next.price, currnIdx)} from ${formatDate(next.from)}`) : null}
    </>
  );
}

function Holds({ line, day }: { line: ContractLine; day: string }) {
  if (line.from !== null && line.from > day) return <Chip tone="blue">{`from ${formatDate(line.from)}`}</Chip>;
  if (line.to !== null && line.to < day) return <Chip tone="red">{`ended ${formatDate(line.to)}`}</Chip>;
  return line.to === null ? <span className="muted">as the contract</span> : <>to {formatDate(line.to)}</>;
}

function OpenLine({ line, onOpen }: { line: ContractLine; onOpen: (id: number) => void }) {
  return (
    <Anchor component="button" type="button" fw={600} className="tabular" onClick={() => onOpen(line.id)}>
      {line.itemNumber}
    </Anchor>
  );
}

type CardProps = {
  line: ContractLine;
  tiers: ContractTier[];
  currnIdx: number;
  day: string;
  onOpen: (id: number) => void;
};

function LineCard({ line, tiers, currnIdx, day, onOpen }: CardProps) {
  return (
    <Stack gap={4}>
      <Text size="sm">
        <OpenLine line={line} onOpen={onOpen} /> {line.description}
      </Text>
      <Text size="sm" className="muted">
        {unitInWords(line)} · <Holds line={line} day={day} />
      </Text>
      {tiers.map((tier) => (
        <Group key={tier.id} justify="space-between" wrap="nowrap" align="start">
          <Text size="sm">
            {tier.tierNo}. {tier.name}
          </Text>
          <Text size="sm" className="tabular" ta="right">
            <PriceOf line={line} tier={tier} currnIdx={currnIdx} />
          </Text>
        </Group>
      ))}
    </Stack>
  );
}
