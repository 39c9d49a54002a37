// The quote's facility, ship-to, contact, and representatives.
import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Fragment, useState } from 'react';
import { FacilityLink } from '#core/customers/facilities/FacilityLink.tsx';
import { FacilityPicker } from '#core/customers/facilities/FacilityPicker.tsx';
import { QUOTE_LABELS } from '#core/quoting/quotes/quote-fields.ts';
import { paths } from '#platform/shared/paths.ts';
import { cityStateZip } from '#platform/shared/place-words.ts';
import type { Address } from '#platform/shared/wire.ts';
import { useBoard } from '../state/board.web.ts';
import { PeopleFields } from '../terms/PeopleFields.tsx';
import { REPS } from '../terms/quote-fields.web.ts';

export function FacilityPanel() {
  const board = useBoard();
  const { quote, editable } = board.data;
  const boardOf = board.view === 'internal' ? paths.internalBoard : paths.publicBoard;
  const { commercial, notes } = editable;
  const [choosing, setChoosing] = useState(false);
  const [isEditing, setEditing] = useState(quote.contactName === '');
  const editsPeople = isEditing && (commercial || notes);
  const people: [string, string][] = [
    ...(editsPeople ? [] : REPS.map((rep): [string, string] => [QUOTE_LABELS[`${rep}Id` as const], quote[rep].name])),
    ['Assigned to', quote.assignee.name],
  ];
  return (
    <section className="card" aria-labelledby="facility-title">
      <Stack p="sm" gap={6}>
        <Group justify="space-between">
          <Title order={2} id="facility-title">
            Facility
          </Title>
          {editable.commercial ? (
            <Button size="compact-xs" variant="subtle" onClick={() => setChoosing(!choosing)}>
              {quote.facilityId === null ? 'Choose' : 'Change'}
            </Button>
          ) : null}
        </Group>
        {choosing || (quote.facilityId === null && editable.commercial) ? (
          <FacilityPicker
            onPick={(facility) => {
              board.store.changeQuote({ facilityId: facility.id });
              setChoosing(false);
            }}
          />
        ) : null}
        {quote.facilityId === null ? null : (
          <>
            <Text size="sm" fw={600}>
              <FacilityLink id={quote.facilityId} name={quote.facilityName} />{' '}
              <span className="muted tabular">{quote.facilityAcctNo}</span>
            </Text>
            <AddressLines title="Ship to" address={quote.shipTo} />
            <AddressLines title="Bill to" address={quote.billTo} />
          </>
        )}
        {editsPeople ? (
          <PeopleFields />
        ) : quote.contactName ? (
          <Text size="sm">
            {quote.contactName}
            {quote.contactEmail ? (
              <>
                {' · '}
                <a href={`mailto:${quote.contactEmail}`}>{quote.contactEmail}</a>
              </>
            ) : null}
            {quote.phone ? (
              <>
                {' · '}
                <a href={`tel:${quote.phone}`}>{quote.phone}</a>
              </>
            ) : null}
          </Text>
        ) : null}
        <Group gap="xs">
          {people
            .filter(([, name]) => name)
            .map(([label, name]) => (
              <Text key={label} size="xs" className="muted">
                {label} {name}
              </Text>
            ))}
        </Group>
        {commercial || notes ? (
          <Button
            className="no-print"
            size="compact-xs"
            variant="subtle"
            style={{ alignSelf: 'start' }}
            aria-expanded={editsPeople}
            onClick={() => setEditing(!isEditing)}
          >
            {editsPeople ? 'Done' : 'Edit contact and reps'}
          </Button>
        ) : null}
        {board.data.otherOpenQuotes.length > 0 ? (
          <Text size="xs" className="warning">
            This facility has other open quotes:{' '}
            {board.data.otherOpenQuotes.map(({ id, number }, place) => (
              <Fragment key={number}>
                {place > 0 ? ', ' : ''}
                {id === null ? (
                  number
                ) : (
                  <Anchor component={Link} to={boardOf(id)} size="xs" className="tabular" underline="always">
                    {number}
                  </Anchor>
                )}
              </Fragment>
            ))}
          </Text>
        ) : null}
        {board.data.warnings.map((warning) => (
          <Text key={warning} size="xs" className="warning">
            {warning}
          </Text>
        ))}
      </Stack>
    </section>
  );
}

function AddressLines({ title, address }: { title: string; address: Address }) {
  const text = [address.line1, address.line2, cityStateZip(address)].filter(Boolean);
  if (text.length === 0) return null;
  return (
    <Text size="sm">
      <span className="muted">{title} </span>
      {text.join(', ')}
    </Text>
  );
}
