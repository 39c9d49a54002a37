// The list of quotes that Home and Find Quote share: a table with the specification's columns, cards on small screens.
import { Anchor, Group, Text } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { formatDate } from '#platform/shared/dates.ts';
import { formatAmount } from '#platform/shared/money.ts';
import type { Sort } from '#platform/shared/wire.ts';
import { lastPage } from '#platform/ui/counted.ts';
import { type Column, DataList } from '#platform/ui/DataList.tsx';
import { useKeys } from '#platform/ui/keys.tsx';
import { Person } from '#platform/ui/Person.tsx';
import { boardPath } from '../board-path.ts';
import type { QuoteRow } from '../quotes.contract.ts';
import { StatusChip } from '../StatusChip.tsx';
import { quoteNumber } from '../status.ts';
import { FollowUpIcons } from './FollowUpIcons.tsx';
import type { Criteria } from './criteria-address.ts';
import { PAGE_SIZE, type useQuotePage } from './quote-page.web.ts';
import classes from './quotes.module.css';

type Props = {
  label: string;
  result: Pick<
    ReturnType<typeof useQuotePage>,
    'data' | 'error' | 'isPlaceholderData' | 'isFetching' | 'dataUpdatedAt'
  > & { refetch: () => unknown };
  criteria: Criteria;
  onPage: (page: number, replace?: boolean) => void;
  onSort: (sort: Criteria['sort']) => void;
  /** Whether all quotes belong to one facility, which the screen already names. */
  ofOneFacility?: boolean;
  ticks?: Ticks | undefined;
  /** Replaces 'No Record Found'. */
  empty?: ReactNode;
};

/** The checkboxes that select quotes: all on the page, and each in its row or card. */
export type Ticks = { all: ReactNode; of: (row: QuoteRow) => ReactNode; inCards: boolean };

export function QuoteList({ label, result, criteria, onPage, onSort, ofOneFacility = false, ticks, empty }: Props) {
  const user = useSession();
  const navigate = useNavigate();
  const { page, sort } = criteria;
  const { data, error, isPlaceholderData, isFetching, refetch, dataUpdatedAt } = result;
  const pageCount = data?.pageCount ?? 0;

  const last = lastPage({ page, pageCount, pageSize: PAGE_SIZE, rows: data?.records, more: data?.more });

  useKeys([
    { key: ']', label: 'Next page', run: () => onPage(page + 1), disabled: page >= last },
    { key: '[', label: 'Previous page', run: () => onPage(page - 1), disabled: page <= 1 },
  ]);

  const hrefOf = (row: QuoteRow) => (user ? boardPath(user, row.id) : '');
  const columns = columnsOf(hrefOf, ticks);
  return (
    <div className={classes['list']}>
      <DataList
        label={label}
        columns={ofOneFacility ? columns.filter(({ field }) => !OF_FACILITY.includes(field)) : columns}
        rows={data?.records}
        rowKey={(row) => row.id}
        rowHref={hrefOf}
        onOpen={(row) => void navigate({ to: hrefOf(row) })}
        card={(row) => (
          <div className={classes['ticked']}>
            {ticks?.inCards ? ticks.of(row) : null}
            <QuoteCard row={row} href={hrefOf(row)} ofOneFacility={ofOneFacility} />
          </div>
        )}
        error={error}
        // The page frame shows the error (quote-page.web.ts).
        errorIsShown
        onRetry={() => void refetch()}
        reading={{ of: JSON.stringify(criteria), at: dataUpdatedAt, again: isFetching }}
        refreshing={isFetching && isPlaceholderData}
        sort={sort}
        onSort={(next: Sort) => onSort(next as Criteria['sort'])}
        page={page}
        pageCount={pageCount}
        pageSize={PAGE_SIZE}
        total={data?.total ?? 0}
        more={data?.more}
        onPage={onPage}
        empty={empty}
      />
    </div>
  );
}

const OF_FACILITY: (string | undefined)[] = ['facilityName', 'facilityAcctNo'];

function NumberLink({ row, href, className }: { row: QuoteRow; href: string; className?: string | undefined }) {
  return (
    <Anchor component={Link} to={href} fw={600} className={`tabular ${className ?? ''}`}>
      {quoteNumber(row.num, row.revision)}
    </Anchor>
  );
}

/** From 1280 pixels on, names need this width. The contact shrinks first, because part of a phone number is useless. */
const REP_WIDTH = 'clamp(112px, 14vw - 66px, 220px)';

function columnsOf(hrefOf: (row: QuoteRow) => string, ticks: Ticks | undefined): Column<QuoteRow>[] {
  const long = (text: string) => <span title={text}>{text}</span>;
  return [
    {
      field: 'num',
      title: '#',
      lead: ticks?.all,
      render: (row) => (
        <>
          {ticks?.of(row)}
          <NumberLink row={row} href={hrefOf(row)} />
        </>
      ),
    },
    {
      field: 'statusId',
      title: 'Status',
      render: (row) => (
        <>
          <StatusChip statusId={row.statusId} expired={row.expired} />
          <FollowUpIcons row={row} />
        </>
      ),
    },
    { field: 'facilityName', title: 'Facility', grows: 150, render: (row) => long(row.facilityName) },
    { field: 'quoteDate', title: 'Quote Date', figure: true, render: (row) => formatDate(row.quoteDate) },
    {
      field: 'totalAmount',
      title: 'Total Amt.',
      figure: true,
      render: (row) => formatAmount(row.totalAmount, row.totalAmountCurrnIdx),
    },
    { field: 'facilityAcctNo', title: 'Acct. #', width: 90, render: (row) => long(row.facilityAcctNo) },
    {
      field: 'contactName',
      title: 'Contact',
      width: 'clamp(80px, 20vw - 176px, 180px)',
      render: (row) => long(row.contactName),
    },
    {
      field: 'phone',
      title: 'Phone',
      width: 140,
      render: (row) => <span className={classes['phone']}>{long(row.phone)}</span>,
    },
    { field: 'salesRep', title: 'Sales Rep.', width: REP_WIDTH, render: (row) => <Person name={row.salesRep.name} /> },
    { field: 'csRep', title: 'CS Rep.', width: REP_WIDTH, render: (row) => <Person name={row.csRep.name} /> },
    { field: 'isRep', title: 'IS Rep.', width: REP_WIDTH, render: (row) => <Person name={row.isRep.name} /> },
  ];
}

/** One quote on a phone: number, status and amount first, then the facility, then the people. */
function QuoteCard({ row, href, ofOneFacility }: { row: QuoteRow; href: string; ofOneFacility: boolean }) {
  const reps = [
    ['Sales Rep.', row.salesRep.name],
    ['CS Rep.', row.csRep.name],
    ['IS Rep.', row.isRep.name],
  ].filter(([, name]) => name);
  return (
    <article className={classes['card']}>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Group gap="xs" wrap="wrap">
          <NumberLink row={row} href={href} className={classes['cover']} />
          <StatusChip statusId={row.statusId} expired={row.expired} />
          <FollowUpIcons row={row} />
        </Group>
        <Text size="sm" fw={600} className="figure">
          {formatAmount(row.totalAmount, row.totalAmountCurrnIdx)}
        </Text>
      </Group>
      {ofOneFacility ? null : (
        <Text size="sm" mt={4}>
          {row.facilityName || <span className="muted">No facility yet</span>}
          {row.facilityAcctNo ? <span className="muted tabular"> · Acct.&nbsp;{row.facilityAcctNo}</span> : null}
        </Text>
      )}
      <Text size="xs" className="muted tabular" mt={2}>
        {[formatDate(row.quoteDate), row.contactName].filter(Boolean).join(' · ')}
        {row.phone ? (
          <>
            {' · '}
            <Anchor href={`tel:${row.phone}`} inherit underline="always" className={classes['above']}>
              {row.phone}
            </Anchor>
          </>
        ) : null}
      </Text>
      {reps.length > 0 ? (
        <Text size="xs" className="muted" mt={2}>
          {reps.map(([label, name]) => `${label} ${name}`).join(' · ')}
        </Text>
      ) : null}
    </article>
  );
}
