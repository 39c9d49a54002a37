// The letters of commitment of a contract, with one of them open in a drawer.
import { Button, Group, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { FacilityLink } from '#core/customers/facilities/FacilityLink.tsx';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { keepsContracts } from '#core/prices/contracts/sight/contract-roles.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { formatDate } from '#platform/shared/dates.ts';
import { Chip } from '#platform/ui/Chip.tsx';
import { type Column, DataList } from '#platform/ui/DataList.tsx';
import { FilterSelect } from '#platform/ui/FilterSelect.tsx';
import { KeywordField } from '#platform/ui/ListPage.tsx';
import { pageShown, useListAddress } from '#platform/ui/list-address.web.ts';
import listClasses from '#platform/ui/list-page.module.css';
import type { ContractProps } from '../rosters/RosterDrawer.tsx';
import { LETTER_TONES } from '../rosters/roster-words.ts';
import { LETTER_STATES } from '../rosters/rosters.contract.ts';
import { LetterDrawer } from './LetterDrawer.tsx';
import { type Letter, Letters } from './letters.contract.ts';

const PAGE_SIZE = 50;
const NOTHING_ASKED = { tab: '', keyword: '', state: '' };

/** `more` is shown beside the button for a new letter. */
export function LettersPanel({ contractId, tiers, today, more }: ContractProps & { more: ReactNode }) {
  const user = useSession();
  const list = useListAddress(null, NOTHING_ASKED, { field: 'stateAt', dir: 'desc' });
  const { keyword, state: askedState } = list.filters;
  const state = LETTER_STATES.find((letterState) => letterState === askedState) ?? null;
  const criteria = { contractId, keyword, state, page: list.page, pageSize: PAGE_SIZE, sort: list.sort };
  const query = useQuery({ ...api(Letters).GetLocs.query(criteria), placeholderData: keepPreviousData });
  const [open, setOpen] = useState<Letter | 'new' | null>(null);
  const keeps = user !== null && keepsContracts(user);
  const details = (letter: Letter) => (
    <Button
      size="compact-xs"
      variant="default"
      aria-label={`Details of the letter of ${letter.facility.name}`}
      onClick={() => setOpen(letter)}
    >
      Details
    </Button>
  );
  // Shows the current letter after a file or a step was saved.
  const openLetter =
    open === null || open === 'new' ? null : (query.data?.records.find(({ id }) => id === open.id) ?? open);
  return (
    <section className="card" aria-label="Letters of commitment">
      <Group px="md" py="xs" justify="space-between" gap="sm" align="end">
        <Group gap="sm" align="end" className={listClasses['filters']}>
          <KeywordField label="Facility" value={keyword} onChange={(next) => list.filter({ keyword: next })} />
          <FilterSelect
            label="State"
            w={150}
            all="All states"
            choices={LETTER_STATES}
            value={state ?? ''}
            onChange={(next) => list.filter({ state: next })}
          />
          <Text size="sm" className="muted" role="status" pb={8}>
            {query.data ? countOf(query.data.total, 'letter') : ''}
          </Text>
        </Group>
        <Group gap="sm">
          {more}
          {keeps ? (
            <Button className="no-print" onClick={() => setOpen('new')}>
              New letter
            </Button>
          ) : null}
        </Group>
      </Group>
      <div style={{ borderTop: '1px solid var(--app-line)' }}>
        <DataList
          label="Letters of commitment"
          columns={[...COLUMNS, { title: 'Actions', render: details }]}
          {...pageShown(query, list, PAGE_SIZE)}
          rowKey={({ id }) => id}
          empty={keyword || state ? 'No letter matches.' : 'No letter of commitment yet.'}
          card={(letter) => (
            <Stack gap={4}>
              <Group justify="space-between" wrap="nowrap" align="start">
                <FacilityLink id={letter.facility.id} name={letter.facility.name} />
                {details(letter)}
              </Group>
              <Group gap={6}>
                <Chip tone={LETTER_TONES[letter.state]}>{letter.state}</Chip>
                <Text size="sm">
                  {letter.tierNo}. {letter.tierName}
                </Text>
              </Group>
              <Text size="sm" className="muted tabular">
                {[daysInWords(letter), signedInWords(letter), letter.file?.name].filter(Boolean).join(' · ')}
              </Text>
            </Stack>
          )}
        />
      </div>
      {open === null ? null : (
        <LetterDrawer
          // The key excludes the version, so that a reload of the list keeps the typed input.
          key={openLetter?.id ?? 'new'}
          letter={openLetter}
          keeps={keeps}
          contractId={contractId}
          tiers={tiers}
          today={today}
          onClose={() => setOpen(null)}
        />
      )}
    </section>
  );
}

const daysInWords = ({ from, to }: Letter) => `${formatDate(from)} – ${formatDate(to) || 'no end'}`;
const signedInWords = ({ signer, signedOn }: Letter) => [signer, formatDate(signedOn)].filter(Boolean).join(', ');

const COLUMNS: Column<Letter>[] = [
  {
    field: 'facility',
    title: 'Facility',
    width: 300,
    render: ({ facility }) => <FacilityLink id={facility.id} name={facility.name} />,
  },
  { title: 'Account', render: ({ facility }) => <span className="tabular">{facility.acctNo}</span> },
  { field: 'tier', title: 'Tier', render: ({ tierNo, tierName }) => `${tierNo}. ${tierName}` },
  { field: 'state', title: 'State', render: ({ state }) => <Chip tone={LETTER_TONES[state]}>{state}</Chip> },
  { field: 'stateAt', title: 'Since', render: ({ stateAt }) => <span className="tabular">{formatDate(stateAt)}</span> },
  { field: 'from', title: 'Days', render: (letter) => <span className="tabular">{daysInWords(letter)}</span> },
  { title: 'Children', render: ({ coversChildren }) => (coversChildren ? 'covered' : '') },
  {
    title: 'Signed',
    width: 200,
    render: (letter) => <span title={signedInWords(letter)}>{signedInWords(letter)}</span>,
  },
  { title: 'File', width: 180, render: ({ file }) => (file ? <span title={file.name}>{file.name}</span> : '') },
];
