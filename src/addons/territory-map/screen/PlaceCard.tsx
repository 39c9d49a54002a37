// Describes a ZIP: its territory and why, representatives, facilities, open quotes. Also selects its whole county, state, or territory.
import { Anchor, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api } from '#platform/api/client.web.ts';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { quoteNumber, STATUS_LABELS } from '#core/quoting/quotes/status.ts';
import { TERRITORY_ROLE_LABELS } from '#core/territories/territories/territory-roles.ts';
import { formatDate } from '#platform/shared/dates.ts';
import { formatAmount } from '#platform/shared/money.ts';
import { paths } from '#platform/shared/paths.ts';
import { hasRole, opensInternalBoard } from '#platform/shared/roles.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { type MapPlace, TerritoryMapCalls } from '../territory-map.contract.ts';

export type Around = 'zip' | 'county' | 'state' | 'territory';

type Props = {
  zip: string;
  date: string;
  /** If omitted, nothing can be selected. */
  onSelect?: ((what: Around) => void) | undefined;
  /** Whether the shown territory can be selected. Defaults to whether the ZIP has one on the day. */
  hasTerritory?: boolean;
  /** More facts about the ZIP. */
  children?: ReactNode;
};

const AROUND: { what: Around; label: string }[] = [
  { what: 'zip', label: 'Select ZIP' },
  { what: 'county', label: 'Select whole county' },
  { what: 'state', label: 'Select whole state' },
  { what: 'territory', label: 'Select whole territory' },
];

export function PlaceCard({ zip, date, onSelect, hasTerritory, children }: Props) {
  const place = useQuery(api(TerritoryMapCalls).getMapPlace.query({ zip, date }));
  if (place.error)
    return <ErrorAlert error={place.error} title="The place could not be loaded" onRetry={place.refetch} />;
  if (!place.data) return <Skeleton height={180} aria-label="Loading" />;
  return (
    <Stack gap="sm" component="section" aria-label={`ZIP ${zip}`} aria-live="polite">
      <Facts place={place.data} />
      {children}
      {onSelect ? (
        <Group gap={6}>
          {AROUND.filter(({ what }) => what !== 'territory' || (hasTerritory ?? place.data.territory !== null)).map(
            ({ what, label }) => (
              <Button key={what} size="compact-sm" variant="default" onClick={() => onSelect(what)}>
                {label}
              </Button>
            ),
          )}
        </Group>
      ) : null}
      <Facilities place={place.data} />
      <Quotes place={place.data} />
    </Stack>
  );
}

function Facts({ place }: { place: MapPlace }) {
  const { zip, city, state, county, territory, region, reps } = place;
  return (
    <Stack gap={4}>
      <Title order={2} size="h4">
        {zip} {[city, state].filter(Boolean).join(', ')}
      </Title>
      {county ? (
        <Text size="sm" className="muted">
          {county} (county)
        </Text>
      ) : null}
      <Text size="sm">
        <b>{territory ? territory.name : 'No territory'}</b>
        {region ? ` · ${region.name}` : ''}
      </Text>
      <Text size="sm" className="muted">
        {whyInWords(place)}
      </Text>
      {reps.map((rep) => (
        <Text size="sm" key={rep.role}>
          {TERRITORY_ROLE_LABELS[rep.role]}: <b>{rep.name}</b>{' '}
          {rep.phone ? <Anchor href={`tel:${rep.phone.replaceAll(/[^\d+]/g, '')}`}>{rep.phone}</Anchor> : null}{' '}
          <Anchor href={`mailto:${rep.email}`}>{rep.email}</Anchor>
        </Text>
      ))}
      {territory && reps.length === 0 ? (
        <Text size="sm">This territory has no representatives on this day.</Text>
      ) : null}
    </Stack>
  );
}

function whyInWords({ date, why, from, to }: MapPlace): string {
  const on = `On ${formatDate(date)}`;
  if (why === 'none') return `${on}, no active territory has this ZIP.`;
  if (why === 'move') return `${on}, as planned.`;
  const days = from ? ` since ${formatDate(from)}${to ? ` until ${formatDate(to)}` : ''}` : '';
  return `${on}, assigned by ZIP${days}.`;
}

function Facilities({ place: { facilities, facilityCount } }: { place: MapPlace }) {
  const user = useSession();
  const opens = user !== null && user !== undefined && hasRole(user, 'systemadmin', 'salesadmin');
  if (facilityCount === 0) return <Text size="sm">No facilities in this ZIP.</Text>;
  return (
    <div>
      <Title order={3} size="h5">
        Facilities ({facilityCount.toLocaleString('en-US')})
      </Title>
      {facilities.map(({ id, name, acctNo, override, openQuotes }) => (
        <Text size="sm" key={id}>
          {opens ? (
            <Anchor component={Link} to={paths.facility(id)}>
              {name}
            </Anchor>
          ) : (
            name
          )}{' '}
          ({acctNo}){openQuotes > 0 ? `, ${openQuotes} open` : ''}
          {override ? `, assigned to ${override.name} by an account override` : ''}
        </Text>
      ))}
      {facilityCount > facilities.length ? <Text size="xs">Showing the first {facilities.length} by name.</Text> : null}
    </div>
  );
}

function Quotes({ place: { quotes, quoteCount } }: { place: MapPlace }) {
  const user = useSession();
  if (quoteCount === 0) return <Text size="sm">No open quotes that you can see.</Text>;
  const board = user && opensInternalBoard(user) ? paths.internalBoard : paths.publicBoard;
  return (
    <div>
      <Title order={3} size="h5">
        Open quotes ({quoteCount.toLocaleString('en-US')})
      </Title>
      {quotes.map(({ id, num, revision, statusId, facilityName, totalAmount, currnIdx }) => (
        <Text size="sm" key={id}>
          <Anchor component={Link} to={board(id)}>
            {quoteNumber(num, revision)}
          </Anchor>{' '}
          {facilityName}, {STATUS_LABELS[statusId]}, {formatAmount(totalAmount, currnIdx)}
        </Text>
      ))}
      {quoteCount > quotes.length ? <Text size="xs">Showing the {quotes.length} with the highest value.</Text> : null}
    </div>
  );
}
