// Asks for confirmation before a facility is deactivated or activated, and says what that affects.
import { Skeleton, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { api, READ_ANEW } from '#platform/api/client.web.ts';
import type { FacilityData } from '#core/customers/facilities/facilities.contract.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx';
import { FacilityAdmin, type FacilityEditData } from '../facility-admin.contract.ts';

export function SwitchFacilityDialog({ facility, onClose }: { facility: FacilityData; onClose: () => void }) {
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
          {(active ? offInWords(facility, edit.data.facts) : ON).map((line) => (
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

const ON = ['It can be found and used on new quotes again.'];

function offInWords({ reps }: FacilityData, { openQuotes, members }: FacilityEditData['facts']): string[] {
  const people = [reps.salesRep, reps.csRep, reps.isRep].flatMap((one) => one?.name ?? []);
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
    'Nothing is deleted, and you can switch it on again.',
  ].filter(Boolean);
}
