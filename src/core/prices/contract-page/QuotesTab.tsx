// The quotes that use a price of the contract and that this user may see.
import { Anchor, Group, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { api } from '#platform/api/client.web.ts';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { Contract, type ContractQuote } from '#core/prices/contracts/contracts.contract.ts';
import { boardPath } from '#core/quoting/quotes/board-path.ts';
import { StatusChip } from '#core/quoting/quotes/StatusChip.tsx';
import { formatDate } from '#platform/shared/dates.ts';
import { formatAmount } from '#platform/shared/money.ts';
import { type Column, DataList } from '#platform/ui/DataList.tsx';
import { pageShown } from '#platform/ui/list-address.web.ts';
import type { ContractTab } from './contract-tab.web.ts';

const PAGE_SIZE = 20;

export function QuotesTab({ data, list }: ContractTab) {
  const user = useSession();
  const navigate = useNavigate();
  const contractId = data.contract.id;
  const query = useQuery({
    ...api(Contract).GetContractQuotes.query({ contractId, page: list.page, pageSize: PAGE_SIZE, sort: list.sort }),
    placeholderData: keepPreviousData,
  });
  const pathOf = (row: ContractQuote) => (user ? boardPath(user, row.id) : '');
  const link = (row: ContractQuote) => (
    <Anchor component={Link} to={pathOf(row)} fw={600} className="tabular">
      {row.number}
    </Anchor>
  );
  const columns: Column<ContractQuote>[] = [
    { field: 'number', title: 'Quote', render: link },
    {
      field: 'facilityName',
      title: 'Facility',
      width: 300,
      render: (row) => <span title={row.facilityName}>{row.facilityName}</span>,
    },
    { field: 'statusId', title: 'Status', render: (row) => <StatusChip statusId={row.statusId} /> },
    { field: 'quoteDate', title: 'Date', figure: true, render: (row) => formatDate(row.quoteDate) },
    { title: 'Under this contract', figure: true, render: (row) => formatAmount(row.amount, row.currnIdx) },
    { title: 'Owner', width: 180, render: (row) => row.ownerName },
  ];
  return (
    <section className="card" aria-label="Quotes">
      <DataList
        label="Quotes"
        columns={columns}
        {...pageShown(query, list, PAGE_SIZE)}
        rowKey={(row) => row.id}
        rowHref={pathOf}
        onOpen={(row) => void navigate({ to: pathOf(row) })}
        empty="No quotes that you can see use a price of this contract."
        card={(row) => (
          <Stack gap={2}>
            <Group justify="space-between" wrap="nowrap">
              {link(row)}
              <StatusChip statusId={row.statusId} />
            </Group>
            <Text size="sm">{row.facilityName}</Text>
            <Text size="sm" className="muted tabular">
              {formatDate(row.quoteDate)} · {formatAmount(row.amount, row.currnIdx)} · {row.ownerName}
            </Text>
          </Stack>
        )}
      />
    </section>
  );
}
