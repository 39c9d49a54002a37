// The page of one contract: its head and key facts, and a tab for each part. The address names the open tab.
import { Anchor, Group, Skeleton, Stack, Tabs, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api } from '#platform/api/client.web.ts';
import { useRecentPlace } from '#platform/recent-records/recent-records.web.ts';
import { awardInWords, daysLeftInWords, firmUntilInWords, gpoInWords } from '#core/prices/contracts/contract-words.ts';
import { ContractStatusChip } from '#core/prices/contracts/StatusChip.tsx';
import { formatDate } from '#platform/shared/dates.ts';
import { currencyOf } from '#platform/shared/money.ts';
import { paths } from '#platform/shared/paths.ts';
import { useAddress } from '#platform/ui/address.web.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { useKeys } from '#platform/ui/keys.tsx';
import { PageTitle } from '#platform/ui/PageTitle.tsx';
import classes from './contract-page.module.css';
import { ContractActions } from './ContractActions.tsx';
import { useContractTab } from './contract-tab.web.ts';
import { contractTabsNow } from './contract-tabs.tsx';
import { type ContractDetail, GpoApi } from './contract-page.contract.ts';

export default function ContractPage() {
  const { id } = useParams({ from: '/signed-in/gpo/contracts/$id' });
  const query = useQuery({
    ...api(GpoApi).getGpoContractDetailDataForApiCall.query({ id: Number(id) }),
    staleTime: 0,
  });
  useRecentPlace('contract', query.data?.contract.number, query.data?.contract.title);
  const name = query.data ? `Contract ${query.data.contract.number}` : 'Contract';
  return (
    <Stack p={{ base: 0, sm: 'md' }} gap="md">
      <Anchor component={Link} to={paths.contracts} size="sm" px={{ base: 'md', sm: 0 }} pt={{ base: 'sm', sm: 0 }}>
        ‹ GPO Contracts
      </Anchor>
      <PageTitle>{name}</PageTitle>
      {query.data ? (
        <OneContract key={query.data.contract.id} data={query.data} />
      ) : query.error ? (
        <ErrorAlert error={query.error} title="The contract could not be loaded" onRetry={query.refetch} />
      ) : (
        <Skeleton height={320} radius="sm" aria-label="Loading" />
      )}
    </Stack>
  );
}

const NO_ORDER = { field: '', dir: 'asc' as const };

function OneContract({ data }: { data: ContractDetail }) {
  const { contract } = data;
  const navigate = useNavigate();
  const { tab: request } = useAddress();
  const tabs = contractTabsNow();
  const visible = tabs.filter((tab) => tab.shown?.(data) ?? true);
  const current = visible.find(({ tab }) => tab === request) ?? tabs[0];
  const list = useContractTab(current.order ?? NO_ORDER);
  const open = (tab: string | null) =>
    void navigate({
      to: paths.contract(contract.id),
      search: tab === tabs[0].tab ? {} : { tab: tab ?? '' },
      resetScroll: false,
    });
  useKeys(visible.map(({ tab, label }, index) => ({ key: String(index + 1), label, run: () => open(tab) })));
  const { Panel } = current;
  return (
    <>
      <Group justify="space-between" align="start" gap="sm" px={{ base: 'md', sm: 0 }}>
        <Stack gap={2}>
          <Group gap="sm">
            <Title order={1}>{contract.number}</Title>
            <ContractStatusChip status={contract.status} />
          </Group>
          <Text>{contract.title}</Text>
        </Stack>
        <ContractActions data={data} />
      </Group>
      <ContractFacts data={data} />
      <Tabs value={current.tab} keepMounted={false} onChange={open}>
        <Tabs.List mb="md" aria-label="Contract sections">
          {visible.map(({ tab, label, count, more }) => (
            <Tabs.Tab key={tab} value={tab}>
              {label}
              {count ? ` (${count(data).toLocaleString('en-US')}${more?.(data) ? '+' : ''})` : ''}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={current.tab}>
          <Panel data={data} list={list} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

/** GPO, days, predecessor and successors, and the contact. */
function ContractFacts({ data: { contract, today } }: { data: ContractDetail }) {
  const { predecessor, successors, extendedTo, terminatedOn } = contract;
  return (
    <dl className={`card ${classes['facts']}`} aria-label="Facts">
      <Fact label="GPO">{gpoInWords(contract.gpo?.name ?? null)}</Fact>
      <Fact label="Category">{contract.category}</Fact>
      <Fact label="Award">{awardInWords(contract.awardType)}</Fact>
      <Fact label="Term">
        <span className="tabular">
          {formatDate(contract.from)} – {formatDate(contract.lastDay)}
        </span>
        {extendedTo || terminatedOn ? (
          <Text size="xs" className="muted tabular">
            {extendedTo ? `extended from ${formatDate(contract.to)}` : ''}
            {extendedTo && terminatedOn ? ', ' : ''}
            {terminatedOn ? `terminated, last day ${formatDate(terminatedOn)}` : ''}
          </Text>
        ) : null}
      </Fact>
      <Fact label="Days left">
        {contract.state === 'Draft' ? (
          'not active yet'
        ) : (
          <span className="tabular">{daysLeftInWords(contract.daysLeft)}</span>
        )}
      </Fact>
      <Fact label="Prices firm until">
        {contract.priceFirmUntil ? (
          <span className="tabular">{firmUntilInWords(contract.priceFirmUntil, today)}</span>
        ) : (
          ''
        )}
      </Fact>
      <Fact label="Open to">
        {contract.openTo === 'members' ? 'All members of the GPO' : 'Facilities on the roster'}
      </Fact>
      <Fact label="Currency">{currencyOf(contract.currnIdx)}</Fact>
      <Fact label="Follows">{predecessor ? <ContractLink contract={predecessor} /> : ''}</Fact>
      <Fact label="Followed by">
        {successors.map((successor) => (
          <span key={successor.id} style={{ display: 'block' }}>
            <ContractLink contract={successor} />{' '}
            <Text span size="xs" className="muted tabular">
              {successor.state === 'Draft' ? 'draft' : `from ${formatDate(successor.from)}`}
            </Text>
          </span>
        ))}
      </Fact>
      <Fact label="Contact here">
        {contract.contact ? (
          <>
            {contract.contact.name}
            <Text size="xs" className="muted">
              <a href={`mailto:${contract.contact.userName}`}>{contract.contact.userName}</a>
              {contract.contact.phone ? ` · ${contract.contact.phone}` : ''}
            </Text>
          </>
        ) : (
          ''
        )}
      </Fact>
      <Fact label="Contact at the GPO">{contract.gpoContact}</Fact>
    </dl>
  );
}

function ContractLink({ contract }: { contract: { id: number; number: string } }) {
  return (
    <Anchor component={Link} to={paths.contract(contract.id)} size="sm" className="tabular">
      {contract.number}
    </Anchor>
  );
}

/** Shows one fact. A missing fact takes no space. */
function Fact({ label, children }: { label: string; children: ReactNode }) {
  if (children === '' || (Array.isArray(children) && children.length === 0)) return null;
  return (
    <div>
      <Text component="dt" size="xs" className="muted">
        {label}
      </Text>
      <Text component="dd" size="sm" style={{ overflowWrap: 'anywhere' }}>
        {children}
      </Text>
    </div>
  );
}
