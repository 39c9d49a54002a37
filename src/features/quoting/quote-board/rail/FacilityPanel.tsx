// The quote's facility, ship-to, contact, and representatives.
import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { FacilityLink } from '#features/customers/facilities/FacilityLink.tsx';
import { FacilityPicker } from '#features/customers/facilities/FacilityPicker.tsx';
import type { Address } from '#shared/wire.ts';
import { useBoard } from '../state/board.web.ts';

export function FacilityPanel() {
  const board = useBoard();
  const { quote, editable } = board.data;
  const [choosing, setChoosing] = useState(false);
  const people: [string, string][] = [
    ['Sales Rep.', quote.salesRep.name],
    ['CS Rep.', quote.csRep.name],
    ['IS Rep.', quote.isRep.name],
    ['With', quote.assignee.name],
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
            <Lines title="Ship to" address={quote.shipTo} />
            <Lines title="Bill to" address={quote.billTo} />
          </>
        )}
        {quote.contactName ? (
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
        {board.data.warnings.map((warning) => (
          <Text key={warning} size="xs" className="warning">
            {warning}
          </Text>
        ))}
      </Stack>
    </section>
  );
}

function Lines({ title, address }: { title: string; address: Address }) {
  const text = [
    address.line1,
    address.line2,
    [address.city, [address.state, address.zip].filter(Boolean).join(' ')].filter(Boolean).join(', '),
  ].filter(Boolean);
  if (text.length === 0) return null;
  return (
    <Text size="sm">
      <span className="muted">{title} </span>
      {text.join(', ')}
    </Text>
  );
}
