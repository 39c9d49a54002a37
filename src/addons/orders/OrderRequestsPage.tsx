// Lists won quotes on their way to the ERP: their state, the ERP's answer, sending again, and the order as a file.
import { Alert, Button, Group, Menu, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '#platform/api/client.web.ts';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { QuoteLink } from '#core/quoting/quotes/QuoteLink.tsx';
import { quoteNumber } from '#core/quoting/quotes/status.ts';
import { formatInstant } from '#platform/shared/dates.ts';
import { EURO_INDEX, formatAmount } from '#platform/shared/money.ts';
import { paths } from '#platform/shared/paths.ts';
import { hasRole } from '#platform/shared/roles.ts';
import { Chip } from '#platform/ui/Chip.tsx';
import { type Column, DataList } from '#platform/ui/DataList.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { KeywordField, ListPage } from '#platform/ui/ListPage.tsx';
import { useRecordList } from '#platform/ui/record-list.web.ts';
import { saveFile } from '#platform/ui/save-file.web.ts';
import { StateFilter } from '#platform/ui/StateFilter.tsx';
import { WentWrong } from '#platform/ui/WentWrong.tsx';
import { OrderRequests, type OrderRow, type OrderSettings } from './order-requests.contract.ts';
import { ageWords, FORMAT_LABELS, ORDER_LABELS, ORDER_TONES } from './order-words.ts';
import { ORDER_FORMATS, ORDER_STATES, type OrderFormat } from './order.ts';

export default function OrderRequestsPage() {
  const list = useRecordList({
    name: 'order-requests',
    filters: { keyword: '', state: '' },
    sort: { field: 'requestedAt', dir: 'desc' },
    criteria: ({ keyword, state }) => ({
      keyword,
      state: ORDER_STATES.find((orderState) => orderState === state) ?? null,
    }),
    find: api(OrderRequests).SearchOrderRequests,
    pageSize: 20,
  });
  const { found } = list;
  const resend = useMutation({
    ...api(OrderRequests).ResendOrderRequest.mutation(),
    onSuccess: ({ key }) => {
      notifications.show({ message: `Order ${key} will be sent to the ERP again.` });
    },
    onSettled: () => found.refetch(),
  });
  const file = useMutation({ ...api(OrderRequests).GetOrderFile.mutation(), onSuccess: saveFile });
  const doing = {
    busy: resend.isPending || file.isPending,
    onResend: ({ id, version }: OrderRow) => resend.mutate({ id, version }),
    onFile: ({ id }: OrderRow, format: OrderFormat) => file.mutate({ id, format }),
  };
  return (
    <ListPage
      title="Order Requests"
      hint="Each won quote creates one order request for the ERP. Track its delivery and the response of the ERP here."
      noun={['order request', 'order requests']}
      {...list.page}
      alert={
        <>
          {found.data ? <Ways ways={found.data.ways} /> : null}
          <ErrorAlert error={resend.error} title="Not sent again" onClose={resend.reset} />
          <ErrorAlert error={file.error} title="The file could not be created" onClose={file.reset} />
        </>
      }
      filters={
        <>
          <KeywordField label="Quote #, facility, PO or order" {...list.field('keyword')} />
          <StateFilter states={ORDER_STATES} labels={ORDER_LABELS} {...list.field('state')} />
        </>
      }
    >
      <DataList
        label="Order requests"
        columns={columnsOf(doing, found.dataUpdatedAt)}
        {...list.rows}
        empty={Object.values(list.filters).some(Boolean) ? 'No Record Found' : 'No quotes have been won yet.'}
        card={(row) => (
          <Stack gap={4}>
            <Group justify="space-between" wrap="nowrap" align="start">
              <Text size="sm">
                <QuoteLink id={row.quoteId} number={quoteNumber(row.num, row.revision)} /> {row.facilityName}
              </Text>
              <Chip tone={ORDER_TONES[row.state]}>{ORDER_LABELS[row.state]}</Chip>
            </Group>
            <Text size="sm" className="muted">
              {standsAt(row, found.dataUpdatedAt)}
              {row.poNumber ? ` · PO ${row.poNumber}` : ''}
            </Text>
            <WentWrong text={row.error || row.reason} />
            <Actions row={row} doing={doing} />
          </Stack>
        )}
      />
    </ListPage>
  );
}

function standsAt({ state, erpOrderNo, requestedAt }: OrderRow, now: number): string {
  if (erpOrderNo) return `Order ${erpOrderNo}`;
  return state === 'Waiting' || state === 'Sent'
    ? `Open for ${ageWords(requestedAt, now)}`
    : formatInstant(requestedAt);
}

/** Shows how orders reach the ERP, with a clear warning if they do not. */
export function Ways({ ways: { folder, files, keys, problem, pausedUntil } }: { ways: OrderSettings['ways'] }) {
  const user = useSession();
  const [key] = keys;
  if (problem)
    return (
      <Alert color="orange" variant="light" title="Order files cannot be written">
        <Text size="sm">
          {problem} No orders are lost. Next attempt: {pausedUntil ? formatInstant(pausedUntil) : 'soon'}.
        </Text>
      </Alert>
    );
  if (key || (files && folder)) return null;
  return (
    <Alert color="blue" variant="light" title="No ERP is connected">
      <Stack gap="xs" align="start">
        <Text size="sm">
          Won quotes wait here until the ERP fetches them with an API key or they are written to files.
        </Text>
        {user && hasRole(user, 'systemadmin') ? (
          <Button component={Link} to={paths.orderSettings} size="compact-sm" variant="default">
            Connect the ERP
          </Button>
        ) : null}
      </Stack>
    </Alert>
  );
}

type Doing = {
  busy: boolean;
  onResend: (row: OrderRow) => void;
  onFile: (row: OrderRow, format: OrderFormat) => void;
};

function columnsOf(doing: Doing, now: number): Column<OrderRow>[] {
  return [
    {
      field: 'num',
      title: 'Quote',
      render: (row) => <QuoteLink id={row.quoteId} number={quoteNumber(row.num, row.revision)} />,
    },
    { title: 'Facility', width: 220, render: (row) => row.facilityName },
    { title: 'PO', width: 130, render: (row) => row.poNumber },
    {
      title: 'Total',
      figure: true,
      render: (row) => (
        <span className="tabular">{formatAmount(row.total, row.currency === 'EUR' ? EURO_INDEX : null)}</span>
      ),
    },
    {
      field: 'state',
      title: 'State',
      render: (row) => <Chip tone={ORDER_TONES[row.state]}>{ORDER_LABELS[row.state]}</Chip>,
    },
    { title: 'Order', width: 160, render: (row) => <span className="tabular">{row.erpOrderNo}</span> },
    {
      field: 'requestedAt',
      title: 'Won',
      render: (row) => <span className="tabular">{formatInstant(row.requestedAt)}</span>,
    },
    {
      title: 'Open for',
      render: (row) => (row.state === 'Waiting' || row.state === 'Sent' ? ageWords(row.requestedAt, now) : ''),
    },
    { title: 'Error', render: (row) => <WentWrong text={row.error || row.reason} /> },
    { title: 'Actions', render: (row) => <Actions row={row} doing={doing} /> },
  ];
}

function Actions({ row, doing: { busy, onResend, onFile } }: { row: OrderRow; doing: Doing }) {
  const number = quoteNumber(row.num, row.revision);
  const maySend = row.state === 'Sent' || row.state === 'Rejected' || (row.state === 'Waiting' && row.error !== '');
  return (
    <Group gap="xs" wrap="nowrap">
      <Menu>
        <Menu.Target>
          <Button size="compact-sm" variant="default" disabled={busy} aria-label={`Download order ${number}`}>
            Download
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {ORDER_FORMATS.map((format) => (
            <Menu.Item key={format} onClick={() => onFile(row, format)}>
              {FORMAT_LABELS[format]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {maySend ? (
        <Button
          size="compact-sm"
          variant="default"
          disabled={busy}
          aria-label={`Send order ${number} again`}
          onClick={() => onResend(row)}
        >
          Send again
        </Button>
      ) : null}
    </Group>
  );
}
