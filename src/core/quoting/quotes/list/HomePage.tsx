// The home screen: quotes that are waiting for this user's approval, and open quotes (specification section 2, Home).
import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useCallback, useEffect } from 'react';
import { api } from '#platform/api/client.web.ts';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { paths } from '#platform/shared/paths.ts';
import { startsQuotes } from '#platform/shared/roles.ts';
import type { Choice } from '#platform/shared/wire.ts';
import { AllAtOnce } from '#platform/ui/all-at-once.tsx';
import { useAddress, useIsHere } from '#platform/ui/address.web.ts';
import { counted } from '#platform/ui/counted.ts';
import { ExportButton, ExportError } from '#platform/ui/Export.tsx';
import { later } from '#platform/ui/later.tsx';
import { HIDE } from '#platform/ui/list-columns.web.ts';
import { ListTools } from '#platform/ui/list-tools.tsx';
import { PageTitle } from '#platform/ui/PageTitle.tsx';
import { saveFile } from '#platform/ui/save-file.web.ts';
import { startViewOf } from '#platform/ui/start-view.web.ts';
import { QuoteSearch } from '../quotes.contract.ts';
import { OPEN_STATUSES } from '../status.ts';
import { ApproveDiscount, useHeldApprovals } from './ApproveDiscount.tsx';
import { ChoiceSelect } from './ChoiceSelect.tsx';
import { type Address, addressOf, type Criteria, criteriaOf, NO_CRITERIA, refiltered } from './criteria-address.ts';
import { FollowUpCard, useHeldFollowUps } from './FollowUpCard.tsx';
import { WaitingLine } from './WaitingLine.tsx';
import { QuoteList } from './QuoteList.tsx';
import { countQuotes, useKeepHomeFilter, useQuoteLookups, useQuotePage } from './quote-page.web.ts';
import classes from './quotes.module.css';

/** `cards` are additional cards for the user's attention, above the open quotes. */
export default function HomePage({ cards }: { cards?: ReactNode }) {
  const user = useSession();
  const approvals = useHeldApprovals(user);
  const followUps = useHeldFollowUps(user);
  return (
    <Stack p={{ base: 0, sm: 'md' }} gap="md">
      <PageTitle>Home</PageTitle>
      <Group justify="space-between" wrap="nowrap" px={{ base: 'md', sm: 0 }} pt={{ base: 'sm', sm: 0 }}>
        <div className={classes['homeTitle']}>
          <Title order={1}>Home</Title>
          <WaitingLine approvals={approvals} followUps={followUps} />
        </div>
        {user && startsQuotes(user) ? (
          <Button component={Link} to={paths.newQuote} flex="none">
            New Quote
          </Button>
        ) : null}
      </Group>
      <AllAtOnce screen={paths.home}>
        <Setup />
        <ApproveDiscount approvals={approvals} />
        <FollowUpCard followUps={followUps} />
        {cards}
        <OpenQuotes />
      </AllAtOnce>
    </Stack>
  );
}

/** Loaded later, because only a new company needs it. */
const EmptyCompany = later(() => import('./EmptyCompany.tsx'), {
  loading: <></>,
  failed: 'The setup checklist could not be loaded. Reload the page.',
});

function Setup() {
  const { data } = useQuoteLookups();
  return data && data.setup.missing.length > 0 ? <EmptyCompany setup={data.setup} /> : null;
}

function OpenQuotes() {
  const navigate = useNavigate();
  const address = useAddress();
  const isHere = useIsHere();
  const lookups = useQuoteLookups();
  const { waiting } = address;
  const keepFilter = useKeepHomeFilter();
  const hasNoCriteria = Object.keys(address).length === 0;
  const { data: choices } = lookups;
  const startView = hasNoCriteria ? startViewOf(paths.home) : null;
  const lastCriteria = choices ? { ...NO_CRITERIA, ...choices.home } : null;
  const criteriaOrNull = startView ? homeCriteriaOf(startView) : hasNoCriteria ? lastCriteria : homeCriteriaOf(address);
  const hiddenColumns = (startView ?? address)[HIDE];

  const navigateTo = useCallback(
    (next: Criteria, replace = true) =>
      void navigate({
        to: paths.home,
        search: { ...addressOf({ ...next, qtStatuses: [] }), waiting, [HIDE]: hiddenColumns },
        replace,
        resetScroll: false,
      }),
    [navigate, waiting, hiddenColumns],
  );
  // Without criteria in the address, uses those of the start view, otherwise the last criteria.
  const initialCriteriaJson = hasNoCriteria && criteriaOrNull ? JSON.stringify(criteriaOrNull) : null;
  useEffect(() => {
    if (initialCriteriaJson && isHere()) navigateTo(JSON.parse(initialCriteriaJson) as Criteria);
  }, [initialCriteriaJson, isHere, navigateTo]);

  const request = criteriaOrNull ? withOpenStatuses(criteriaOrNull) : null;
  const query = useQuotePage(request, 'home');
  // The list cannot load without its last filters.
  const { error, refetch } = lookups;
  const result = request ? query : { ...query, error, refetch };
  const exported = useMutation({ ...api(QuoteSearch).ExportQuotes.mutation(), onSuccess: saveFile });
  const criteria = request ?? NO_CRITERIA;
  const filter = (patch: Partial<Criteria>) => {
    const next = refiltered(criteria, { ...criteria, ...patch });
    keepFilter(next);
    navigateTo(next);
  };
  const filters = [
    ['Sales Rep.', nameOf(choices?.salesReps, criteria.salesRepId)],
    ['Customer Service Rep.', nameOf(choices?.csReps, criteria.csRepId)],
  ].filter(([, name]) => name);
  return (
    <section className="card" aria-labelledby="open-title">
      <Group px="md" py="xs" justify="space-between" align="end" gap="sm">
        <Group gap="xs">
          <Title order={2} id="open-title">
            Open Quotes
          </Title>
          {result.data ? (
            <Text size="sm" className="muted tabular">
              {counted(result.data)}
            </Text>
          ) : null}
          <ExportButton
            exported={exported}
            onExport={() => request && exported.mutate(request)}
            total={result.data?.total}
            size="xs"
          />
          <ListTools countOf={(view) => countQuotes(withOpenStatuses(homeCriteriaOf(view)))} />
        </Group>
        <Group gap="sm" grow preventGrowOverflow={false} w={{ base: '100%', sm: 'auto' }} wrap="nowrap">
          <ChoiceSelect
            label="Sales Rep."
            choices={choices?.salesReps}
            value={criteria.salesRepId}
            onChange={(salesRepId) => filter({ salesRepId })}
          />
          <ChoiceSelect
            label="Customer Service Rep."
            choices={choices?.csReps}
            value={criteria.csRepId}
            onChange={(csRepId) => filter({ csRepId })}
          />
        </Group>
      </Group>
      <ExportError exported={exported} />
      <div style={{ borderTop: '1px solid var(--app-line)' }}>
        <QuoteList
          label="Open Quotes"
          result={result}
          criteria={criteria}
          onPage={(page, replace = false) => navigateTo({ ...criteria, page }, replace)}
          onSort={(sort) => filter({ sort })}
          empty={
            filters.length > 0 ? (
              <>
                No Record Found. Filtered by {filters.map(([label, name]) => `${label} ${name}`).join(' and ')}.{' '}
                <Button variant="subtle" size="compact-sm" onClick={() => filter({ salesRepId: null, csRepId: null })}>
                  Clear filters
                </Button>
              </>
            ) : undefined
          }
        />
      </div>
    </section>
  );
}

const nameOf = (choices: Choice[] | undefined, id: number | null) =>
  id === null ? undefined : choices?.find((choice) => choice.id === id)?.name;

const withOpenStatuses = (criteria: Criteria): Criteria => ({ ...criteria, qtStatuses: [...OPEN_STATUSES] });

/** The home screen has two filters. Other filters in its address are ignored. */
function homeCriteriaOf(address: Address): Criteria {
  const { page, sort, salesRepId, csRepId } = criteriaOf(address);
  return { ...NO_CRITERIA, page, sort, salesRepId, csRepId };
}
