// The quotes of a facility that the user may see: their value by status, and the list.
import { Anchor, Button, Group, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { openEntries } from '#platform/addons/addon.web.ts';
import { api } from '#platform/api/client.web.ts';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { addressOf, NO_CRITERIA } from '#core/quoting/quotes/list/criteria-address.ts';
import { QuoteList } from '#core/quoting/quotes/list/QuoteList.tsx';
import { PAGE_SIZE } from '#core/quoting/quotes/list/quote-page.web.ts';
import { QUOTE_SORT_FIELDS, QuoteSearch } from '#core/quoting/quotes/quotes.contract.ts';
import { OPEN_STATUSES, STATUS_LABELS, STATUSES, type StatusId } from '#core/quoting/quotes/status.ts';
import { add, DOLLAR_INDEX, EURO_INDEX, formatAmount } from '#platform/shared/money.ts';
import { paths } from '#platform/shared/paths.ts';
import { hasRole, isInternal, QUOTING_ROLES } from '#platform/shared/roles.ts';
import { FilterSelect } from '#platform/ui/FilterSelect.tsx';
import { useKeys } from '#platform/ui/keys.tsx';
import classes from '#platform/ui/list-page.module.css';
import { facilityLinks } from './doors.web.ts';
import type { FacilityTab } from './facility-tab.web.ts';
import { FacilityView, type QuotesInStatus } from './facility-view.contract.ts';

export function FacilityQuotesPanel({ facility, list }: FacilityTab) {
  const user = useSession();
  const findQuote = user && isInternal(user) ? paths.findQuoteInternal : paths.findQuotePublic;
  const field = QUOTE_SORT_FIELDS.find((quoteSortField) => quoteSortField === list.sort.field);
  const sort = field ? { field, dir: list.sort.dir } : NO_CRITERIA.sort;
  const { status } = list.filters;
  const qtStatuses = statusesOf(status);
  const criteria = { ...NO_CRITERIA, facilityId: facility.id, qtStatuses, page: list.page, sort };
  const result = useQuery({
    ...api(QuoteSearch).SearchQuotesForSalesRep.query({ ...criteria, pageSize: PAGE_SIZE, remember: 'none' }),
    placeholderData: keepPreviousData,
    meta: { global: 'The quotes could not be loaded.' },
  });
  const figures = useQuery({
    ...api(FacilityView).GetFacilityQuoteFigures.query({ facilityId: facility.id }),
    meta: { global: 'The statuses of the quotes could not be loaded.' },
  });
  const counted = figures.data ?? [];
  const countOf = (ids: readonly StatusId[]) =>
    counted.reduce((sum, entry) => (ids.includes(entry.statusId) ? sum + entry.count : sum), 0);
  const choices = STATUSES.filter((id) => id === status || countOf([id]) > 0);
  const label = (name: string, ids: readonly StatusId[]) => (figures.data ? `${name} (${countOf(ids)})` : name);
  return (
    <section className="card" aria-label={`Quotes of ${facility.name}`}>
      <Group px="md" py="xs" justify="space-between" gap="sm">
        <Group gap="sm" className={classes['filters']}>
          <FilterSelect
            label="Status"
            w={220}
            all={label('All', STATUSES)}
            choices={[
              { value: 'open', label: label('Open', OPEN_STATUSES) },
              ...choices.map((id) => ({ value: id, label: label(STATUS_LABELS[id], [id]) })),
            ]}
            value={status === 'open' || choices.some((id) => id === status) ? status : ''}
            onChange={(next) => list.filter({ status: next })}
          />
          {figures.data ? (
            <Text size="sm" className="muted tabular" role="status">
              {amountsInWords(
                counted.filter((candidate) => qtStatuses.length === 0 || qtStatuses.includes(candidate.statusId)),
              )}
            </Text>
          ) : null}
        </Group>
        <Group gap="sm" className={classes['count']}>
          <Anchor size="sm" renderRoot={(props) => <Link {...props} to={findQuote} search={addressOf(criteria)} />}>
            All in Find Quote
          </Anchor>
          {user && hasRole(user, ...QUOTING_ROLES) ? (
            <>
              {openEntries(facilityLinks).map(({ label, to }) => (
                <Anchor
                  key={to}
                  size="sm"
                  renderRoot={(props) => <Link {...props} to={to} search={{ facility: facility.id }} />}
                >
                  {label}
                </Anchor>
              ))}
              <NewQuote facility={facility} />
            </>
          ) : null}
        </Group>
      </Group>
      <div style={{ borderTop: '1px solid var(--app-line)' }}>
        <QuoteList
          label="Quotes"
          result={result}
          criteria={criteria}
          onPage={list.goTo}
          onSort={list.sortBy}
          ofOneFacility
        />
      </div>
    </section>
  );
}

function NewQuote({ facility }: Pick<FacilityTab, 'facility'>) {
  const navigate = useNavigate();
  const search = { facility: facility.id };
  useKeys([
    {
      key: 'a',
      label: 'New quote for this facility',
      run: () => void navigate({ to: paths.newQuote, search }),
      disabled: !facility.active,
    },
  ]);
  if (!facility.active) {
    return (
      <Button leftSection={<IconPlus size={16} aria-hidden />} disabled title="The facility is not active">
        New quote for this facility
      </Button>
    );
  }
  return (
    <Button
      leftSection={<IconPlus size={16} aria-hidden />}
      renderRoot={(props) => <Link {...props} to={paths.newQuote} search={search} />}
    >
      New quote for this facility
    </Button>
  );
}

/** The statuses of a filter. An empty result means every status. */
function statusesOf(status: string): StatusId[] {
  return status === 'open' ? [...OPEN_STATUSES] : STATUSES.filter((id) => id === status);
}

/** '3 quotes worth $1,200.00 and €400.00'. */
function amountsInWords(figures: QuotesInStatus[]): string {
  const count = figures.reduce((sum, figure) => sum + figure.count, 0);
  if (count === 0) return 'No quotes that you can see';
  const worth = [DOLLAR_INDEX, EURO_INDEX].flatMap((currnIdx) => {
    const amounts = figures.filter((figure) => figure.currnIdx === currnIdx).map(({ amount }) => amount);
    return amounts.length > 0 ? [formatAmount(add(...amounts), currnIdx)] : [];
  });
  return `${count.toLocaleString('en-US')} ${count === 1 ? 'quote' : 'quotes'} worth ${worth.join(' and ')}`;
}
