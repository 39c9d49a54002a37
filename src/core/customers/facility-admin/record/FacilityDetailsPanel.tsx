// A facility's details, contacts, GPO memberships, today's representatives and overrides, which administrators edit here.
import { Alert, Anchor, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, READ_ANEW } from '#platform/api/client.web.ts';
import type { FacilityData } from '#core/customers/facilities/facilities.contract.ts';
import { HistoryPanel } from '#platform/history/HistoryPanel.tsx';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { FacilityContractsList } from '#core/prices/letters-and-rosters/facility-contracts/FacilityContractsList.tsx';
import { countOf } from '#platform/shared/count-of.ts';
import { currencyOf } from '#platform/shared/money.ts';
import { paths } from '#platform/shared/paths.ts';
import { hasRole } from '#platform/shared/roles.ts';
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { useKeys } from '#platform/ui/keys.tsx';
import { FacilityContactsPanel } from '../contacts/FacilityContactsPanel.tsx';
import { FacilityPart, Line, PartButton } from '../FacilityPart.tsx';
import {
  FACILITY_KEEPERS,
  FacilityAdmin,
  type FacilityEditData,
  MEMBERSHIP_KEEPERS,
} from '../facility-admin.contract.ts';
import classes from '../facility-admin.module.css';
import { addressInWords } from '../facility-words.ts';
import { IdentifiersPanel } from '../identifiers/IdentifiersPanel.tsx';
import { GpoMembershipsPanel } from '../memberships/GpoMembershipsPanel.tsx';
import { FacilityDrawer } from './FacilityDrawer.tsx';
import { FacilityOverridesPanel } from './FacilityOverridesPanel.tsx';

const WHY = { override: 'by account override', zip: 'by the ship-to ZIP', none: 'no territory covers it' } as const;

export function FacilityDetailsPanel({ facility }: { facility: FacilityData }) {
  const user = useSession();
  const mayEdit = user !== null && hasRole(user, ...FACILITY_KEEPERS);
  const keepsMemberships = user !== null && hasRole(user, ...MEMBERSHIP_KEEPERS);
  const record = useQuery(api(FacilityAdmin).GetFacilityRecord.query({ id: facility.id }));
  const part = record.data ? { facility, record: record.data, mayEdit } : null;
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <Stack>
        <Details facility={facility} taxCertificate={record.data?.taxCertificate ?? ''} mayEdit={mayEdit} />
        {part ? <FacilityContactsPanel {...part} /> : null}
        {part && user && !user.gpoTabHidden ? (
          <FacilityPart title="Contracts">
            <FacilityContractsList facilityId={facility.id} today={part.record.today} />
          </FacilityPart>
        ) : null}
      </Stack>
      <Stack>
        <ServedBy reps={facility.reps} />
        {record.error ? (
          <ErrorAlert
            error={record.error}
            title="Memberships and overrides could not be loaded"
            onRetry={record.refetch}
          />
        ) : null}
        {part ? (
          <>
            <FacilityOverridesPanel {...part} />
            <GpoMembershipsPanel {...part} mayEdit={keepsMemberships} />
            <IdentifiersPanel {...part} mayEdit={keepsMemberships} />
          </>
        ) : record.error ? null : (
          <Skeleton height={240} radius="sm" aria-label="Loading" />
        )}
        {mayEdit ? (
          <FacilityPart title="History">
            <div className={classes['history']}>
              <HistoryPanel type="facility" id={facility.id} />
            </div>
          </FacilityPart>
        ) : null}
      </Stack>
    </SimpleGrid>
  );
}

type DetailsProps = { facility: FacilityData; taxCertificate: string; mayEdit: boolean };

function Details({ facility, taxCertificate, mayEdit }: DetailsProps) {
  const [open, setOpen] = useState<'edit' | 'switch' | null>(null);
  const label = facility.active ? 'Deactivate' : 'Activate';
  useKeys([
    { key: 'e', label: 'Edit Facility', disabled: !mayEdit, run: () => setOpen('edit') },
    { key: 'd', label, disabled: !mayEdit, run: () => setOpen('switch') },
  ]);
  const close = () => setOpen(null);
  return (
    <FacilityPart
      title="Details"
      actions={
        mayEdit ? (
          <>
            <PartButton label={label} onClick={() => setOpen('switch')} />
            <PartButton label="Edit" says="Edit Facility" onClick={() => setOpen('edit')} />
          </>
        ) : null
      }
    >
      {facility.active ? null : (
        <Alert color="gray" p="xs" mb="xs">
          <Text size="sm">It is inactive, so new quotes cannot use it.</Text>
        </Alert>
      )}
      <dl style={{ margin: 0 }}>
        <Line label="Account">{facility.acctNo}</Line>
        <Line label="Phone">{facility.phone}</Line>
        <Line label="Bill to">{addressInWords(facility.billTo)}</Line>
        <Line label="Ship to">{addressInWords(facility.shipTo)}</Line>
        <Line label="Parent">
          {facility.parent ? (
            <Anchor component={Link} to={paths.facility(facility.parent.id)} size="sm">
              {facility.parent.name}
            </Anchor>
          ) : null}
        </Line>
        <Line label="Class of trade">{facility.classOfTrade}</Line>
        <Line label="Price level">{facility.priceLevel}</Line>
        <Line label="Currency">{currencyOf(facility.currnIdx)}</Line>
        <Line label="Tax">{facility.taxExempt ? 'Exempt' : `${facility.taxRate}%`}</Line>
        <Line label="Tax certificate">{taxCertificate}</Line>
        <Line label="Payment terms">{facility.paymentTerms}</Line>
        <Line label="Freight terms">{facility.freightTerms}</Line>
      </dl>
      {open === 'edit' ? <FacilityDrawer id={facility.id} onClose={close} onSaved={close} /> : null}
      {open === 'switch' ? <SwitchFacilityDialog facility={facility} onClose={close} /> : null}
    </FacilityPart>
  );
}

function ServedBy({ reps }: { reps: FacilityData['reps'] }) {
  return (
    <FacilityPart title="Who serves it today">
      <dl style={{ margin: 0 }}>
        <Line label="Territory">{reps.territory ? `${reps.territory.name} (${WHY[reps.why]})` : WHY[reps.why]}</Line>
        <Line label="Region">{reps.region?.name}</Line>
        <Line label="Sales rep">{reps.salesRep?.name}</Line>
        <Line label="CS rep">{reps.csRep?.name}</Line>
        <Line label="Inside rep">{reps.isRep?.name}</Line>
      </dl>
    </FacilityPart>
  );
}

/** Prompts for confirmation before a facility is deactivated or activated, and shows what that affects. */
function SwitchFacilityDialog({ facility, onClose }: { facility: FacilityData; onClose: () => void }) {
  const { id, name, active } = facility;
  const edit = useQuery({
    ...api(FacilityAdmin).PopulateFacilityEditModel.query({ id }),
    ...READ_ANEW,
  });
  const toggle = useMutation({
    ...api(FacilityAdmin).InactiveOrActiveFacility.mutation(),
    onSuccess: () => {
      notifications.show({ message: `${name} is ${active ? 'inactive' : 'active'}.` });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={`${active ? 'Deactivate' : 'Activate'} ${name}?`}
      action={active ? 'Deactivate' : 'Activate'}
      harmful={active}
      busy={toggle.isPending || edit.isPending}
      error={toggle.error ?? edit.error}
      onConfirm={() => edit.data && toggle.mutate({ id, active: !active, version: edit.data.facility.version })}
      onClose={onClose}
    >
      {edit.data ? (
        <Stack gap="xs">
          {(active ? switchedOffInWords(facility, edit.data.facts) : SWITCHED_ON).map((line) => (
            <Text size="sm" key={line}>
              {line}
            </Text>
          ))}
        </Stack>
      ) : edit.error ? null : (
        <Skeleton height={80} aria-label="Loading" />
      )}
    </ConfirmDialog>
  );
}

const SWITCHED_ON = ['It can be found and used on new quotes again.'];

function switchedOffInWords({ reps }: FacilityData, { openQuotes, members }: FacilityEditData['facts']): string[] {
  const people = [reps.salesRep, reps.csRep, reps.isRep].flatMap((entry) => entry?.name ?? []);
  const names = new Intl.ListFormat('en-US').format(new Set(people));
  return [
    'It can no longer be found or used on new quotes.',
    openQuotes > 0
      ? `${countOf(openQuotes, 'open quote stays as it is', 'open quotes stay as they are')}.`
      : 'It has no open quotes.',
    names ? `${names} ${people.length === 1 ? 'serves' : 'serve'} it today.` : '',
    members > 0
      ? `It is the parent of ${countOf(members, 'active facility, which keeps', 'active facilities, which keep')} its account prices.`
      : '',
    'Nothing is deleted, and you can activate it again.',
  ].filter(Boolean);
}
