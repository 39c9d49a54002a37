// The fields of a user, for sign-up and editing.
import { Alert, Checkbox, MultiSelect, SimpleGrid, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { PeopleSelect } from '#platform/users/PersonSelect.tsx';
import type { Person } from '#platform/users/users.contract.ts';
import { ROLE_LABELS, ROLES, type Role } from '#platform/shared/roles.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { pasteAddress } from '#platform/ui/paste-address.web.ts';
import { RecordForm } from '#platform/ui/RecordForm.tsx';
import { useRecordForm } from '#platform/ui/record-form.web.ts';
import { dutiesInWords, DUTY_LABELS, DUTY_ROLES } from './leaving/duties.ts';
import {
  ChangedUser,
  NewUser,
  UserAccount,
  UserEdit,
  type UserEditData,
  type UserFields,
} from './user-admin.contract.ts';

const LABELS = {
  userName: 'Email',
  fullName: 'Full Name',
  phone: 'Phone',
  roles: 'Roles',
  regionIds: 'Regions Managed',
  repIds: 'Reps Supported',
  gpoTabHidden: 'Hide the GPO Contracts tab',
};

type Props = { edit: UserEditData; onSaved: (user: UserFields) => void; onCancel?: () => void };

export function UserForm({ edit, onSaved, onCancel }: Props) {
  const { user: record, regions, keptBecause } = edit;
  const isNew = record.id === 0;
  const form = useRecordForm({
    record,
    schema: isNew ? NewUser : ChangedUser,
    save: (user) => (isNew ? api(UserAccount).AddNewUser(user) : api(UserAccount).UpdateUser(user)),
    onSaved,
  });
  const { values, errors, set } = form;
  // Keeps the names of users who were selected here, even after they are removed again.
  const [people, setPeople] = useState<Person[]>(edit.reps);
  const setRoles = (names: string[]) => set({ roles: ROLES.filter((role) => names.includes(role)) });

  return (
    <RecordForm
      form={form}
      label="User"
      labels={LABELS}
      inWords={(field, value) => inWords(field, value, edit, people)}
      action={isNew ? 'Add and invite' : 'Save'}
      {...(onCancel ? { onCancel } : {})}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label={LABELS.userName}
          type="email"
          onPaste={pasteAddress}
          required
          data-autofocus={isNew ? true : undefined}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={320}
          value={values.userName}
          error={errors['userName']}
          description={isNew ? 'Used to sign in. The invitation goes to this address.' : undefined}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          onChange={(event) => set({ userName: event.currentTarget.value })}
        />
        <TextInput
          label={LABELS.fullName}
          required
          autoComplete="off"
          maxLength={200}
          value={values.fullName}
          error={errors['fullName']}
          onChange={(event) => set({ fullName: event.currentTarget.value })}
        />
        <TextInput
          label={LABELS.phone}
          type="tel"
          autoComplete="off"
          maxLength={60}
          value={values.phone}
          error={errors['phone']}
          onChange={(event) => set({ phone: event.currentTarget.value })}
        />
      </SimpleGrid>
      <Checkbox.Group label={LABELS.roles} required value={values.roles} error={errors['roles']} onChange={setRoles}>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" py={4}>
          {ROLES.map((role) => {
            const isKept = role === 'systemadmin' && keptBecause !== '' && record.roles.includes(role);
            return (
              <Checkbox
                key={role}
                value={role}
                label={ROLE_LABELS[role]}
                disabled={isKept}
                description={isKept ? keptBecause : undefined}
              />
            );
          })}
        </SimpleGrid>
      </Checkbox.Group>
      {isNew ? null : <StaysWith record={record} roles={values.roles} />}
      {values.roles.includes('salesQuoteManager') ? (
        <MultiSelect
          label={LABELS.regionIds}
          description="Sees the quotes of these regions and approves up to the limit."
          searchable
          nothingFoundMessage="No Record Found"
          data={regions.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={values.regionIds.map(String)}
          error={errorIn(errors, 'regionIds')}
          onChange={(ids) => set({ regionIds: ascending(ids.map(Number)) })}
        />
      ) : null}
      {values.roles.includes('salessupport') ? (
        <PeopleSelect
          label={LABELS.repIds}
          description="Sees and edits the quotes of these sales representatives."
          roles={['salesrep']}
          {...(isNew ? {} : { exceptId: record.id })}
          value={people.filter(({ id }) => values.repIds.includes(id))}
          error={errorIn(errors, 'repIds')}
          onChange={(chosen) => {
            setPeople((known) => [...new Map([...known, ...chosen].map((entry) => [entry.id, entry])).values()]);
            set({ repIds: ascending(chosen.map(({ id }) => id)) });
          }}
        />
      ) : null}
      <Checkbox
        label={LABELS.gpoTabHidden}
        checked={values.gpoTabHidden}
        onChange={(event) => set({ gpoTabHidden: event.currentTarget.checked })}
      />
    </RecordForm>
  );
}

/** Notes what a user keeps after losing the role for it. */
function StaysWith({ record, roles }: { record: UserFields; roles: readonly Role[] }) {
  const had = (duty: keyof typeof DUTY_ROLES, field: readonly Role[]) =>
    DUTY_ROLES[duty].some((role) => field.includes(role));
  const lost = (Object.keys(DUTY_ROLES) as (keyof typeof DUTY_ROLES)[]).filter(
    (duty) => had(duty, record.roles) && !had(duty, roles),
  );
  const holdings = useQuery({
    ...api(UserEdit).GetUserHoldings.query({ id: record.id }),
    enabled: lost.length > 0,
    staleTime: 0,
  });
  if (lost.length > 0 && holdings.error)
    return (
      <ErrorAlert
        error={holdings.error}
        title="The duties of the user could not be loaded"
        onRetry={holdings.refetch}
      />
    );
  const stays = lost.length > 0 ? (holdings.data?.duties.filter(({ duty }) => lost.includes(duty)) ?? []) : [];
  if (stays.length === 0) return null;
  return (
    <Alert color="orange" role="status">
      {record.fullName} stays {stays.map((stay) => `${DUTY_LABELS[stay.duty]} of ${dutiesInWords(stay)}`).join(', ')}{' '}
      until someone else is named there.
      <Text size="sm">To hand everything over at once, deactivate the account.</Text>
    </Alert>
  );
}

function inWords(
  field: keyof UserFields,
  value: unknown,
  { regions }: UserEditData,
  people: Person[],
): string | undefined {
  if (!Array.isArray(value)) return undefined;
  const names = field === 'regionIds' ? regions : field === 'repIds' ? people : null;
  const words = value.map((entry) =>
    names ? (names.find(({ id }) => id === entry)?.name ?? `another person`) : ROLE_LABELS[entry as Role],
  );
  return words.join(', ') || '–';
}

/** Returns the message of the field or of one of its entries. */
function errorIn(errors: Record<string, string>, field: string): string | undefined {
  return errors[field] ?? Object.entries(errors).find(([path]) => path.startsWith(`${field}.`))?.[1];
}

function ascending(ids: number[]): number[] {
  return ids.toSorted((a, b) => a - b);
}
