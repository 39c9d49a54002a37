// The list of quotes behind a figure of a report, with their number and sum.
import { Alert, Anchor, Group, Text } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { api } from '#platform/api/client.web.ts';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { boardPath } from '#core/quoting/quotes/board-path.ts';
import { quoteNumber } from '#core/quoting/quotes/status.ts';
import { StatusChip } from '#core/quoting/quotes/StatusChip.tsx';
import { formatDate, formatTime } from '#platform/shared/dates.ts';
import { currencyOf, formatAmount } from '#platform/shared/money.ts';
import { useAddress } from '#platform/ui/address.web.ts';
import { type Column, DataList } from '#platform/ui/DataList.tsx';
import { ListPage } from '#platform/ui/ListPage.tsx';
import { type ListAddress, pageShown, useListAddress } from '#platform/ui/list-address.web.ts';
import { Person } from '#platform/ui/Person.tsx';
import { saveFile } from '#platform/ui/save-file.web.ts';
import { figureIn } from '../plots/plot.ts';
import { PIVOT_ADDRESS } from '../pivot-choice.ts';
import { filtersOf } from '../report-filters.ts';
import { Report, REPORT_QUOTE_SORT_FIELDS, type ReportQuoteRow, type ReportQuotes } from '../reports.contract.ts';
import { todayHere } from './report-address.web.ts';
import { reportTab } from './report-tabs.ts';

const PAGE_SIZE = 20;
const FIRST = { field: 'sliceAmount', dir: 'desc' } as const;
/** The fields of the address besides page and order. */
const KEPT = [
  'slice',
  'report',
  'from',
  'to',
  'regionId',
  'territoryId',
  'repId',
  'classId',
  'contractId',
  'currnIdx',
  ...PIVOT_ADDRESS,
];

export function ReportQuotesPage() {
  const address = useAddress();
  const list = useListAddress(null, {}, FIRST, KEPT);
  const filters = filtersOf(address, todayHere());
  const slice = address['slice'] ?? '';
  const field =
    REPORT_QUOTE_SORT_FIELDS.find((reportQuoteSortField) => reportQuoteSortField === list.sort.field) ?? FIRST.field;
  const request = { ...filters, slice, sort: { field, dir: list.sort.dir } };
  const query = useQuery({
    ...api(Report).GetReportQuotes.query({ ...request, page: list.page, pageSize: PAGE_SIZE }),
    enabled: slice !== '',
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
  const exported = useMutation({
    mutationFn: async () => saveFile(await api(Report).ExportReportQuotes(request)),
    meta: { blocking: true },
  });
  const back = reportTab(address['report']);
  const { data } = query;
  return (
    <ListPage
      title={data?.title ?? 'Report quotes'}
      hint={`${formatDate(filters.from)} to ${formatDate(filters.to)}${data ? ` · ${currencyOf(data.currnIdx)} · as of ${formatTime(data.asOf)}` : ''}`}
      noun={['quote', 'quotes']}
      total={data?.count}
      exported={exported}
      actions={
        <Anchor size="sm" renderRoot={(props) => <Link {...props} to={back.to} search={withoutList(address)} />}>
          ‹ {back.label}
        </Anchor>
      }
      filters={data ? <Sum data={data} /> : null}
      alert={
        data?.preparing ? (
          <Alert color="blue" variant="light" title="Reports are being prepared" role="status">
            {data.preparing.done.toLocaleString('en-US')} of {data.preparing.of.toLocaleString('en-US')} quotes are
            included so far.
          </Alert>
        ) : undefined
      }
    >
      {slice === '' ? (
        <Text ta="center" py="xl" className="muted" role="status">
          No figure is selected. Open a report and select a figure to list its quotes.
        </Text>
      ) : (
        <Found found={query} list={list} />
      )}
    </ListPage>
  );
}

/** The address of the report that the list belongs to. */
function withoutList({
  slice: _slice,
  report: _report,
  page: _page,
  sort: _sort,
  ...filters
}: Record<string, string | undefined>) {
  return filters;
}

function Sum({ data: { amount, amountTitle, currnIdx } }: { data: ReportQuotes }) {
  return (
    <Text size="sm" role="status">
      {amountTitle}: <b className="tabular">{figureIn({ amountIn: currnIdx }, amount)}</b>
    </Text>
  );
}

type FoundProps = {
  found: Parameters<typeof pageShown<ReportQuoteRow>>[0] & { data: ReportQuotes | undefined };
  list: ListAddress<Record<string, string>>;
};

function Found({ found, list }: FoundProps) {
  const user = useSession();
  const navigate = useNavigate();
  const board = ({ id }: ReportQuoteRow) => (user ? boardPath(user, id) : '');
  const number = (row: ReportQuoteRow) => (
    <Anchor component={Link} to={board(row)} fw={600} className="figure">
      {quoteNumber(row.num, row.revision)}
    </Anchor>
  );
  const part = (row: ReportQuoteRow) =>
    figureIn({ amountIn: found.data?.currnIdx ?? row.totalAmountCurrnIdx }, row.sliceAmount);
  // A figure made of whole quotes does not need a second column with the same amounts.
  const isWhole = found.data?.amountTitle === 'Total';
  const columns: Column<ReportQuoteRow>[] = [
    { field: 'num', title: '#', render: number },
    {
      field: 'statusId',
      title: 'Status',
      render: (row) => <StatusChip statusId={row.statusId} expired={row.expired} />,
    },
    {
      field: 'facilityName',
      title: 'Facility',
      grows: 180,
      render: ({ facilityName }) => <span title={facilityName}>{facilityName}</span>,
    },
    { field: 'quoteDate', title: 'Quote Date', figure: true, render: (row) => formatDate(row.quoteDate) },
    { field: 'sliceAmount', title: found.data?.amountTitle ?? 'Amount', figure: true, render: part },
    ...(isWhole
      ? []
      : [
          {
            field: 'totalAmount',
            title: 'Total Amt.',
            figure: true,
            render: (row: ReportQuoteRow) => formatAmount(row.totalAmount, row.totalAmountCurrnIdx),
          },
        ]),
    { field: 'facilityAcctNo', title: 'Acct. #', width: 100, render: ({ facilityAcctNo }) => facilityAcctNo },
    { field: 'salesRep', title: 'Sales Rep.', width: 170, render: ({ salesRep }) => <Person name={salesRep.name} /> },
    { field: 'csRep', title: 'CS Rep.', width: 170, render: ({ csRep }) => <Person name={csRep.name} /> },
  ];
  return (
    <DataList
      label="Quotes in this figure"
      columns={columns}
      rowKey={({ id }) => id}
      rowHref={board}
      onOpen={(row) => void navigate({ to: board(row) })}
      card={(row) => (
        <>
          <Group justify="space-between" gap="xs" wrap="nowrap">
            <Group gap="xs">
              {number(row)}
              <StatusChip statusId={row.statusId} expired={row.expired} />
            </Group>
            <Text size="sm" fw={600} className="figure">
              {part(row)}
            </Text>
          </Group>
          <Text size="sm" mt={4}>
            {row.facilityName}
          </Text>
          <Text size="xs" className="muted">
            {[formatDate(row.quoteDate), row.salesRep.name].filter(Boolean).join(' · ')}
          </Text>
        </>
      )}
      {...pageShown(found, list, PAGE_SIZE)}
    />
  );
}
