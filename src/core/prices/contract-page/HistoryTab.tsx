// The history of a contract, its tiers and its lines.
import { Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api } from '#platform/api/client.web.ts';
import { Changes } from '#platform/history/HistoryPanel.tsx';
import { recordWords } from '#platform/history/record-words.ts';
import { Contract } from '#core/prices/contracts/contracts.contract.ts';
import { formatInstant } from '#platform/shared/dates.ts';
import { Pages } from '#platform/ui/DataList.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { pageShown } from '#platform/ui/list-address.web.ts';
import type { ContractTab } from './contract-tab.web.ts';
import classes from './contract-page.module.css';

const PAGE_SIZE = 30;

export function HistoryTab({ data, list }: ContractTab) {
  const { id, number } = data.contract;
  const query = useQuery({
    ...api(Contract).GetContractHistory.query({ contractId: id, page: list.page, pageSize: PAGE_SIZE }),
    placeholderData: keepPreviousData,
  });
  if (query.error)
    return <ErrorAlert error={query.error} title="The history could not be loaded" onRetry={query.refetch} />;
  return (
    <section className="card" aria-label="History">
      {query.data?.records.length === 0 ? (
        <Text size="sm" className={`muted ${classes['part']}`} role="status">
          No changes yet.
        </Text>
      ) : (
        <Stack
          gap="sm"
          component="ol"
          m={0}
          className={classes['part'] ?? ''}
          style={{ listStyle: 'none' }}
          aria-label="History"
        >
          {(query.data?.records ?? []).map((event) => (
            <li key={event.id}>
              <Text size="sm">
                <b>{event.actor}</b> {recordWords({ type: event.recordType, action: event.action })}
                {event.name === number ? '' : ` ${event.name.replace(`${number}, `, '')}`}{' '}
                <span className="muted tabular">{formatInstant(event.at)}</span>
              </Text>
              <Changes changes={event.changes} comment={event.comment} />
            </li>
          ))}
        </Stack>
      )}
      <Pages {...pageShown(query, list, PAGE_SIZE)} />
    </section>
  );
}
