// Find My Rep: who serves a ZIP or a facility, today or on another day, and why.
import { Alert, Anchor, Button, Group, SegmentedControl, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { forbidden } from '#platform/api/http-error.ts';
import { FacilityPicker } from '#core/customers/facilities/FacilityPicker.tsx';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { TERRITORY_ROLE_LABELS } from '#core/territories/territories/territory-roles.ts';
import { formatDate, parseDate } from '#platform/shared/dates.ts';
import { paths } from '#platform/shared/paths.ts';
import { cityAndState } from '#platform/shared/place-words.ts';
import { hasRole } from '#platform/shared/roles.ts';
import { useAddress } from '#platform/ui/address.web.ts';
import { type Column, DataList } from '#platform/ui/DataList.tsx';
import { DateField } from '#platform/ui/DateField.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { Form } from '#platform/ui/Form.tsx';
import { useKeys } from '#platform/ui/keys.tsx';
import { PageTitle } from '#platform/ui/PageTitle.tsx';
import classes from '../territory-admin.module.css';
import { PositionButton } from './PositionButton.tsx';
import { RepMap } from './RepMap.tsx';
import { type ContactPerson, READERS, type RepsFound, TazApi } from './find-rep.contract.ts';

type Asked = { zip?: string; facility?: string; date?: string };

export default function FindRepPage() {
  const user = useSession();
  const navigate = useNavigate();
  // The page's address contains the search.
  const request: Asked = useAddress();
  const facilityId = Number(request.facility) || null;
  const zip = request.zip?.slice(0, 10) ?? '';
  const [by, setBy] = useState<'zip' | 'facility'>(facilityId ? 'facility' : 'zip');
  const [typed, setTyped] = useState(zip);
  const input = useRef<HTMLInputElement>(null);
  const whole = /^\d{5}(-?\d{4})?$/.test(zip);
  const query = useQuery({
    ...api(TazApi).searchRepsForWebQuote.query({ zip, facilityId, date: request.date ?? '' }),
    enabled: facilityId !== null || whole,
    placeholderData: keepPreviousData,
  });
  const ask = (next: Asked) =>
    void navigate({ to: paths.findRep, search: { date: request.date, ...next }, replace: true });
  useEffect(() => input.current?.focus(), [by]);
  useEffect(() => setTyped(zip), [zip]);
  useKeys([{ key: '/', label: 'ZIP', run: () => input.current?.focus() }]);

  if (user && !hasRole(user, ...READERS)) throw forbidden(READERS);
  const answer = facilityId !== null || whole ? query.data : undefined;
  const facility = facilityId ? answer?.facility : null;
  const wrong = typed !== '' && typed === zip && !whole ? 'Enter a 5-digit ZIP' : undefined;
  return (
    <Stack p={{ base: 0, sm: 'md' }} gap="md" maw={960}>
      <PageTitle>Find My Rep</PageTitle>
      <Title order={1} px={{ base: 'md', sm: 0 }} pt={{ base: 'sm', sm: 0 }}>
        Find My Rep
      </Title>
      <section className={`card ${classes['part']}`} aria-label="What to look up">
        <Form label="Find My Rep" onSubmit={() => ask({ zip: typed.trim() })}>
          <Group align="flex-end" gap="sm">
            <SegmentedControl
              aria-label="Find by"
              data={[
                { value: 'zip', label: 'By ZIP' },
                { value: 'facility', label: 'By facility' },
              ]}
              value={by}
              onChange={(next) => {
                setBy(next);
                ask({});
              }}
            />
            {by === 'zip' ? (
              <>
                <TextInput
                  ref={input}
                  label="ZIP"
                  w={140}
                  inputMode="numeric"
                  maxLength={10}
                  value={typed}
                  error={wrong}
                  onChange={(event) => {
                    const next = event.currentTarget.value;
                    setTyped(next);
                    if (/^\s*\d{5}\s*$/.test(next)) ask({ zip: next.trim() });
                  }}
                />
                <Button type="submit">Find</Button>
                <PositionButton onFound={(here) => ask({ zip: here })} />
              </>
            ) : facility ? (
              <TextInput
                label="Facility"
                readOnly
                w={{ base: '100%', sm: 360 }}
                value={`${facility.name} (${facility.acctNo})`}
                rightSectionWidth={80}
                rightSection={
                  <Button size="compact-xs" variant="subtle" onClick={() => ask({})}>
                    Change
                  </Button>
                }
              />
            ) : (
              <div className={classes['picker']}>
                <FacilityPicker takesFocus onPick={({ id }) => ask({ facility: String(id) })} />
              </div>
            )}
            <OnDay
              value={request.date ?? ''}
              onChange={(date) => ask({ zip: request.zip, facility: request.facility, date })}
            />
          </Group>
        </Form>
      </section>
      <ErrorAlert error={query.error} title="Not looked up" onRetry={query.refetch} />
      {answer ? (
        <>
          <Found found={answer} />
          {answer.mapStates.length > 0 ? <RepMap found={answer} /> : null}
        </>
      ) : query.isLoading ? (
        <Skeleton height={200} aria-label="Loading" />
      ) : null}
    </Stack>
  );
}

/** A field for the day, which searches once the day is complete. */
function OnDay({ value, onChange }: { value: string; onChange: (date: string | undefined) => void }) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  return (
    <DateField
      label="On"
      placeholder="today"
      w={150}
      value={typed}
      onChange={(next) => {
        setTyped(next);
        if (next === '' || parseDate(next)) onChange(next || undefined);
      }}
    />
  );
}

type Rep = RepsFound['reps'][number];

const COLUMNS: Column<Rep>[] = [
  { title: 'Part', render: (rep) => TERRITORY_ROLE_LABELS[rep.role] },
  { title: 'Name', width: 220, render: (rep) => <b>{rep.name}</b> },
  { title: 'Phone', render: (rep) => <Phone person={rep} /> },
  { title: 'Email', width: 260, render: (rep) => <Mail person={rep} /> },
  { title: 'Since', render: (rep) => <span className="tabular">{sinceOf(rep)}</span> },
];

const sinceOf = ({ from, to }: { from: string; to: string | null }) =>
  formatDate(from) + (to ? `, until ${formatDate(to)}` : '');

function Phone({ person }: { person: ContactPerson }) {
  if (!person.phone) return '–';
  return (
    <Anchor href={`tel:${person.phone.replaceAll(/[^\d+]/g, '')}`} className="tabular">
      {person.phone}
    </Anchor>
  );
}

function Mail({ person }: { person: ContactPerson }) {
  return (
    <Anchor href={`mailto:${person.email}`} title={person.email}>
      {person.email}
    </Anchor>
  );
}

function Found({ found }: { found: RepsFound }) {
  const user = useSession();
  const { territory, region, reps, call } = found;
  const keeps = user !== null && user !== undefined && hasRole(user, 'systemadmin', 'salesadmin');
  return (
    <section className="card" aria-label="Who serves it" aria-live="polite">
      <Stack gap={2} className={classes['part']}>
        <Title order={2} size="h4">
          {territory && keeps ? (
            <Anchor component={Link} to={paths.territory(territory.id)} inherit>
              {territory.name}
            </Anchor>
          ) : (
            (territory?.name ?? 'No territory')
          )}
          {region ? ` · ${region.name}` : ''}
        </Title>
        <Text size="sm" className="muted">
          {whyInWords(found)}
        </Text>
      </Stack>
      {reps.length > 0 ? (
        <DataList
          label="Representatives"
          columns={COLUMNS}
          rows={reps}
          rowKey={(rep) => rep.role}
          card={(rep) => (
            <Stack gap={2}>
              <Group justify="space-between">
                <b>{rep.name}</b>
                <Text size="sm" className="muted">
                  {TERRITORY_ROLE_LABELS[rep.role]}
                </Text>
              </Group>
              <Phone person={rep} />
              <Mail person={rep} />
            </Stack>
          )}
        />
      ) : null}
      {reps.some(({ role }) => role === 'sales') ? null : (
        <Alert
          color="orange"
          radius={0}
          // Orange text on pale orange would be too faint to read.
          styles={{ title: { color: 'var(--mantine-color-text)' } }}
          title={territory ? 'No sales rep. is named here' : 'No one serves this location'}
        >
          <Text size="sm">{call.length > 0 ? 'Call:' : 'There is also no one to call.'}</Text>
          {call.map((person) => (
            <Group key={person.id} gap="sm">
              <b>{person.name}</b>
              <Text size="sm">{person.as}</Text>
              <Phone person={person} />
              <Mail person={person} />
            </Group>
          ))}
        </Alert>
      )}
    </section>
  );
}

function whyInWords({ why, zip, city, state, facility, reason, from, to, date }: RepsFound): string {
  const place = [zip, cityAndState({ city, state })].filter(Boolean).join(' ');
  const days = from ? ` since ${formatDate(from)}${to ? ` until ${formatDate(to)}` : ''}` : '';
  const who = facility ? `${facility.name}, ${place || 'without a ZIP'}` : `ZIP ${place}`;
  const on = `On ${formatDate(date)}`;
  if (why === 'override') return `${on}: ${who}. By an account override${days}${reason ? `: ${reason}` : ''}.`;
  if (why === 'zip') return `${on}: ${who}. By the ZIP${days}.`;
  return `${on}: ${who}. No active territory has ${facility ? 'the facility or its ZIP' : 'this ZIP'}.`;
}
