// What a facility is: its details, contacts, GPO memberships and who serves it today.
import { Anchor, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { FacilityData } from '#features/facilities/facilities.contract.ts';
import { paths } from '#shared/paths.ts';

const WHY = { override: 'by account override', zip: 'by the ship-to ZIP', none: 'no territory covers it' } as const;

export function FacilityDetailsPanel({ facility }: { facility: FacilityData }) {
  const { reps } = facility;
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <Part title="Details">
        <Line label="Account">{facility.acctNo}</Line>
        <Line label="Phone">{facility.phone}</Line>
        <Line label="Bill to">{addressOf(facility.billTo)}</Line>
        <Line label="Ship to">{addressOf(facility.shipTo)}</Line>
        <Line label="Parent">
          {facility.parent ? (
            <Anchor component={Link} to={paths.facility(facility.parent.id)} size="sm">
              {facility.parent.name}
            </Anchor>
          ) : null}
        </Line>
        <Line label="Class of trade">{facility.classOfTrade}</Line>
        <Line label="Price level">{facility.priceLevel}</Line>
        <Line label="Tax">{facility.taxExempt ? 'Exempt' : `${facility.taxRate} %`}</Line>
        <Line label="Payment terms">{facility.paymentTerms}</Line>
        <Line label="Freight terms">{facility.freightTerms}</Line>
      </Part>
      <Stack>
        <Part title="Who serves it today">
          <Line label="Territory">{reps.territory ? `${reps.territory.name} (${WHY[reps.why]})` : WHY[reps.why]}</Line>
          <Line label="Region">{reps.region?.name}</Line>
          <Line label="Sales rep">{reps.salesRep?.name}</Line>
          <Line label="CS rep">{reps.csRep?.name}</Line>
          <Line label="Inside rep">{reps.isRep?.name}</Line>
        </Part>
        <Part title="Contacts" empty={facility.contacts.length === 0 ? 'No contacts.' : undefined}>
          {facility.contacts.map((contact) => (
            <Line key={contact.id} label={contact.name}>
              {[contact.title, contact.email, contact.phone].filter(Boolean).join(' · ')}
            </Line>
          ))}
        </Part>
        <Part title="GPO memberships" empty={facility.memberships.length === 0 ? 'No memberships.' : undefined}>
          {facility.memberships.map((one) => (
            <Line key={`${one.gpo} ${one.memberId} ${one.from}`} label={one.primary ? `${one.gpo} (primary)` : one.gpo}>
              {one.memberId} · {one.from} to {one.to ?? 'open'}
            </Line>
          ))}
        </Part>
      </Stack>
    </SimpleGrid>
  );
}

function Part({ title, empty, children }: { title: string; empty?: string | undefined; children: ReactNode }) {
  return (
    <section className="card" aria-label={title} style={{ padding: 'var(--mantine-spacing-md)' }}>
      <Title order={2} size="h4" mb="xs">
        {title}
      </Title>
      {empty ? (
        <Text size="sm" className="muted">
          {empty}
        </Text>
      ) : (
        <dl style={{ margin: 0 }}>{children}</dl>
      )}
    </section>
  );
}

function Line({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Group gap="sm" wrap="nowrap" align="start" py={2}>
      <Text component="dt" size="sm" className="muted" w={130} style={{ flexShrink: 0 }}>
        {label}
      </Text>
      <Text component="dd" size="sm" m={0} style={{ overflowWrap: 'anywhere' }}>
        {children || '–'}
      </Text>
    </Group>
  );
}

function addressOf({ line1, line2, city, state, zip }: FacilityData['shipTo']): string {
  return [line1, line2, `${city}, ${state} ${zip}`].filter(Boolean).join(', ');
}
