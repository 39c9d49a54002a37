// The list of quotes at risk: the totals of each kind, then the quotes. A quote opens beside the list.
import { Anchor, Checkbox, Group, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { StatusChip } from '#core/quoting/quotes/StatusChip.tsx';
import { countOf } from '#platform/shared/count-of.ts';
import { formatDate } from '#platform/shared/dates.ts';
import { signedAmount } from '#platform/shared/signed-figures.ts';
import { Chip } from '#platform/ui/Chip.tsx';
import { type Column, DataList } from '#platform/ui/DataList.tsx';
import { FilterSelect } from '#platform/ui/FilterSelect.tsx';
import { type ListAddress, pageShown } from '#platform/ui/list-address.web.ts';
import { RISK_KINDS, RISK_WORDS, type RiskKind } from '../risk-kinds.ts';
import { RISK_TONES } from './risk-words.ts';
import { QuoteRisks, type RiskTotal, type RiskyQuote } from '../risks.contract.ts';
import { Kinds } from './Kinds.tsx';
import { RiskDrawer } from './RiskDrawer.tsx';
import classes from './risks.module.css';

const PAGE_SIZE = 50;

type Asked = { contractId: number | null; kind: RiskKind | null; mine: boolean; keyword: string };
type Place = Omit<ListAddress<Record<string, string>>, 'filter'>;

/** The quotes at risk that meet these criteria. */
export function useRisks(request: Asked, list: Pick<Place, 'page' | 'sort'>) {
  return useQuery({
    ...api(QuoteRisks).SearchRisks.query({ ...request, sort: list.sort, page: list.page, pageSize: PAGE_SIZE }),
    placeholderData: keepPreviousData,
    // Background jobs may change the list.
    refetchInterval: 30_000,
  });
}

export function riskKindNamed(text: string): RiskKind | null {
  return RISK_KINDS.find((kind) => kind === text) ?? null;
}

export function KindSelect({ value, onChange }: { value: RiskKind | null; onChange: (kind: string) => void }) {
  return (
    <FilterSelect
      label="Kind"
      w={180}
      all="All kinds"
      choices={RISK_KINDS.map((kind) => ({ value: kind, label: RISK_WORDS[kind].label }))}
      value={value ?? ''}
      onChange={onChange}
    />
  );
}

export function MineCheckbox({ value, onChange }: { value: boolean; onChange: (mine: string) => void }) {
  return (
    <Checkbox
      label="My quotes"
      my={8}
      checked={value}
      onChange={(event) => onChange(event.currentTarget.checked ? 'yes' : '')}
    />
  );
}

export function RiskList({
  found,
  list,
  kind,
  onKind,
}: {
  found: ReturnType<typeof useRisks>;
  list: Place;
  kind: RiskKind | null;
  onKind: (kind: string) => void;
}) {
  const [open, setOpen] = useState<number | null>(null);
  const link = (row: RiskyQuote) => (
    <Anchor component="button" type="button" fw={600} className="tabular" onClick={() => setOpen(row.quoteId)}>
      {row.number}
    </Anchor>
  );
  return (
    <>
      <Totals totals={found.data?.totals ?? []} kind={kind} onKind={onKind} />
      <DataList
        label="Quotes at risk"
        columns={columnsOf(link)}
        {...pageShown(found, list, PAGE_SIZE)}
        rowKey={(row) => row.quoteId}
        onOpen={(row) => setOpen(row.quoteId)}
        empty="No open quotes are affected by price changes."
        card={(row) => (
          <Stack gap={2}>
            <Group justify="space-between" wrap="nowrap" align="start">
              {link(row)}
              <Text size="sm" fw={600} className="tabular">
                {money(row)}
              </Text>
            </Group>
            <Text size="sm">{row.facilityName}</Text>
            <Group gap={6}>
              <Kinds kinds={row.kinds} />
              <StatusChip statusId={row.statusId} />
            </Group>
            <Text size="sm" className="muted tabular">
              from {formatDate(row.day)} · {countOf(row.lines, 'line')} · {row.ownerName}
            </Text>
          </Stack>
        )}
      />
      {open === null ? null : <RiskDrawer quoteId={open} onClose={() => setOpen(null)} />}
    </>
  );
}

function columnsOf(link: (row: RiskyQuote) => ReactNode): Column<RiskyQuote>[] {
  return [
    { title: 'Quote', render: link },
    { title: 'Facility', width: 240, render: (row) => <span title={row.facilityName}>{row.facilityName}</span> },
    { title: 'Status', render: (row) => <StatusChip statusId={row.statusId} /> },
    {
      title: 'Kind',
      render: (row) => (
        <Group gap={4} wrap="nowrap">
          <Kinds kinds={row.kinds} />
        </Group>
      ),
    },
    { field: 'day', title: 'From', figure: true, render: (row) => formatDate(row.day) },
    { field: 'lines', title: 'Lines', figure: true, render: (row) => row.lines },
    { field: 'difference', title: 'Difference', figure: true, render: money },
    { title: 'Valid until', figure: true, render: (row) => formatDate(row.validUntil) },
    { title: 'Sales rep', width: 160, render: (row) => <span title={row.ownerName}>{row.ownerName}</span> },
  ];
}

/** The difference in money. Lines without a price have no difference, so the text adds their number. */
function money({ difference, unpriced, currnIdx }: RiskyQuote): string {
  if (unpriced === 0) return signedAmount(difference, currnIdx);
  const none = countOf(unpriced, 'without a price', 'without a price');
  return difference === 0 ? none : `${signedAmount(difference, currnIdx)}, ${none}`;
}

/** The total of each kind in each currency, which also filters the list. */
function Totals({
  totals,
  kind,
  onKind,
}: {
  totals: RiskTotal[];
  kind: RiskKind | null;
  onKind: (kind: string) => void;
}) {
  if (totals.length === 0) return null;
  return (
    <ul className={classes['totals']} aria-label="By kind">
      {totals.map((total) => (
        <li key={`${total.kind} ${total.currnIdx}`}>
          <button
            type="button"
            aria-pressed={kind === total.kind}
            title={RISK_WORDS[total.kind].means}
            onClick={() => onKind(kind === total.kind ? '' : total.kind)}
          >
            <Group gap={6} wrap="nowrap">
              <Chip tone={RISK_TONES[total.kind]}>{RISK_WORDS[total.kind].label}</Chip>
              <span className="muted tabular">{countOf(total.quotes, 'quote')}</span>
            </Group>
            <span className="tabular">
              {[
                total.dearer === 0 ? '' : signedAmount(total.dearer, total.currnIdx),
                total.cheaper === 0 ? '' : signedAmount(total.cheaper, total.currnIdx),
              ]
                .filter(Boolean)
                .join(' · ') || signedAmount(0, total.currnIdx)}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
