// Lists the contracts under which a facility may buy on a day: tier, source, letter of commitment and days.
import { Anchor, Group, Skeleton, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { formatDate, parseDate } from '#platform/shared/dates.ts';
import { paths } from '#platform/shared/paths.ts';
import { Chip } from '#platform/ui/Chip.tsx';
import { DateField } from '#platform/ui/DateField.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { LETTER_TONES } from '../rosters/roster-words.ts';
import { type FacilityContract, FacilityContracts } from './facility-contracts.contract.ts';

export function FacilityContractsList({ facilityId, today }: { facilityId: number; today: string }) {
  const [typed, setTyped] = useState(today);
  const [day, setDay] = useState(today);
  const query = useQuery({
    ...api(FacilityContracts).GetFacilityContracts.query({ facilityId, day }),
    placeholderData: keepPreviousData,
  });
  const isOthers = (query.error as { status?: number } | null)?.status === 404;
  if (isOthers) {
    return (
      <Text size="sm" className="muted">
        Visible to the people who serve this facility.
      </Text>
    );
  }
  return (
    <Stack gap="xs">
      <DateField
        label="On the day"
        w={160}
        value={typed}
        onChange={(next) => {
          setTyped(next);
          const date = next === '' ? today : parseDate(next);
          if (date) setDay(date);
        }}
      />
      <ErrorAlert error={query.error} title="Contracts could not be loaded" onRetry={query.refetch} />
      {query.data ? (
        <Stack gap="sm" component="ul" p={0} m={0} style={{ listStyle: 'none' }} aria-label="Contracts">
          {query.data.contracts.length === 0 ? (
            <Text component="li" size="sm" className="muted">
              None on this day.
            </Text>
          ) : null}
          {query.data.contracts.map((contract) => (
            <li key={contract.id}>
              <Group gap={6}>
                <Anchor fw={600} size="sm" renderRoot={(props) => <Link {...props} to={paths.contract(contract.id)} />}>
                  {contract.number}
                </Anchor>
                <Text size="sm">{contract.gpoName ?? 'Local agreement'}</Text>
                <StateOf contract={contract} />
              </Group>
              <Text size="sm" className="muted tabular">
                {entryInWords(contract)}
              </Text>
              {contract.notPrimary ? <Text size="sm">{contract.notPrimary}.</Text> : null}
            </li>
          ))}
        </Stack>
      ) : query.error ? null : (
        <Skeleton height={80} aria-label="Loading" />
      )}
    </Stack>
  );
}

function StateOf({ contract: { by, letter, needsLoc } }: { contract: FacilityContract }) {
  if (by === 'excluded') return <Chip tone="red">Excluded</Chip>;
  if (!needsLoc) return null;
  return letter ? (
    <Chip tone={LETTER_TONES[letter]}>{`Letter ${letter.toLowerCase()}`}</Chip>
  ) : (
    <Chip tone="orange">Letter missing</Chip>
  );
}

function entryInWords({ by, parent, tierNo, tierName, listedFrom, listedTo, to }: FacilityContract): string {
  const how = by === 'members' ? 'as a member' : parent ? `through ${parent}` : 'by its own row';
  const tier = tierNo === null ? '' : `Tier ${tierNo}, ${tierName}`;
  const days = `${formatDate(listedFrom)} – ${formatDate(listedTo) || 'no end'}`;
  return [tier, how, days, `contract to ${formatDate(to)}`].filter(Boolean).join(' · ');
}
