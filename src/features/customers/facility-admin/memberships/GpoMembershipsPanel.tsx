// The GPO memberships of a facility: group, member number, days, and which one is primary.
import { Button, Checkbox, Group, Select, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api } from '#api/client.web.ts';
import { EndDialog } from '#features/territories/territory-admin/EndDialog.tsx';
import { formatDate } from '#shared/dates.ts';
import { Chip } from '#ui/Chip.tsx';
import { DateField } from '#ui/DateField.tsx';
import { RecordDrawer } from '#ui/RecordDrawer.tsx';
import { RecordForm } from '#ui/RecordForm.tsx';
import { useRecordForm } from '#ui/record-form.web.ts';
import type { PartProps } from '../contacts/FacilityContactsPanel.tsx';
import { DatedEntries, EditOrEnd, EndedWord, Entry, FacilityPart, isOver, PartButton } from '../FacilityPart.tsx';
import { FacilityAdmin, type Membership, MembershipInput } from '../facility-admin.contract.ts';
import { daysInWords } from '../facility-words.ts';

export function GpoMembershipsPanel({ facility, record, mayEdit }: PartProps) {
  const { memberships, today } = record;
  const [editing, setEditing] = useState<Membership | 'new' | null>(null);
  const [ending, setEnding] = useState<Membership | null>(null);
  return (
    <FacilityPart
      title="GPO memberships"
      actions={mayEdit ? <PartButton label="Add" says="Add Membership" onClick={() => setEditing('new')} /> : null}
    >
      <DatedEntries
        label="GPO memberships"
        rows={memberships}
        today={today}
        none="No memberships."
        render={(one) => (
          <Entry
            key={one.id}
            actions={
              mayEdit && !isOver(one, today) ? (
                <EditOrEnd
                  what={`the membership of ${one.gpo.name}`}
                  onEdit={() => setEditing(one)}
                  onEnd={() => setEnding(one)}
                />
              ) : null
            }
          >
            <Group gap={6}>
              <Text size="sm" fw={600}>
                {one.gpo.name}
              </Text>
              {one.primary ? <Chip tone="green">Primary</Chip> : null}
              {one.from > today ? <Chip tone="blue">To come</Chip> : null}
              {isOver(one, today) ? <EndedWord /> : null}
            </Group>
            <Text size="sm" className="muted tabular">
              {[one.memberId, daysInWords(one)].filter(Boolean).join(' · ')}
            </Text>
          </Entry>
        )}
      />
      {editing ? (
        <MembershipDrawer
          membership={editing === 'new' ? null : editing}
          facilityId={facility.id}
          memberships={memberships}
          version={record.version}
          today={today}
          onClose={() => setEditing(null)}
        />
      ) : null}
      {ending ? (
        <EndDialog
          what={`the membership of ${ending.gpo.name}`}
          today={today}
          hint="Quotes keep the prices they have until they are priced anew."
          end={(lastDay) =>
            api(FacilityAdmin).EndGpoMembership({
              facilityId: facility.id,
              id: ending.id,
              lastDay,
              version: record.version,
            })
          }
          onClose={() => setEnding(null)}
        />
      ) : null}
    </FacilityPart>
  );
}

/** The height of a field's label, so that a button beside the field lines up. */
const LABEL = 22;

type DrawerProps = {
  membership: Membership | null;
  facilityId: number;
  memberships: Membership[];
  version: number;
  today: string;
  onClose: () => void;
};
const LABELS = {
  gpoId: 'GPO',
  newGpo: 'GPO',
  memberId: 'Member number',
  primary: 'Primary GPO',
  from: 'From',
  to: 'To',
};

function MembershipDrawer({ membership, facilityId, memberships, version, today, onClose }: DrawerProps) {
  const gpos = useQuery(api(FacilityAdmin).GetGpoSimpleData.query({}));
  const [typing, setTyping] = useState(false);
  const form = useRecordForm({
    record: {
      id: membership?.id ?? 0,
      facilityId,
      gpoId: membership?.gpo.id ?? 0,
      newGpo: '',
      memberId: membership?.memberId ?? '',
      primary: membership?.primary ?? false,
      from: membership?.from ?? today,
      to: membership?.to ?? '',
      version,
    },
    schema: MembershipInput,
    save: (input) => api(FacilityAdmin).SaveGpoMembership(input),
    onSaved: (saved) => {
      notifications.show({ message: `The membership of ${saved.gpo.name} is saved.` });
      onClose();
    },
  });
  const { values, errors, set } = form;
  const begun = membership !== null && membership.from <= today;
  const holder = memberships.find(
    (one) => one.primary && one.id !== values.id && one.from <= today && !isOver(one, today),
  );
  const takesMark = values.primary && holder && values.from <= today;
  return (
    <RecordDrawer title={membership ? 'Edit Membership' : 'Add Membership'} onClose={onClose}>
      <RecordForm
        form={form}
        label="GPO membership"
        labels={LABELS}
        inWords={(field, value) =>
          field === 'gpoId'
            ? (gpos.data?.find(({ id }) => id === value)?.name ?? '–')
            : field === 'primary'
              ? value
                ? 'Yes'
                : 'No'
              : field === 'from' || field === 'to'
                ? formatDate(String(value)) || 'no end'
                : String(value) || '–'
        }
        onCancel={onClose}
      >
        {begun ? (
          <TextInput label="GPO" readOnly value={membership.gpo.name} error={errors['gpoId']} />
        ) : typing ? (
          <NewGpoField
            value={values.newGpo}
            error={errors['newGpo'] ?? errors['gpoId']}
            onChange={(newGpo) => set({ newGpo })}
            onChoose={() => {
              setTyping(false);
              set({ newGpo: '' });
            }}
          />
        ) : (
          <Group align="flex-start" gap="xs" wrap="nowrap">
            <Select
              label="GPO"
              required
              searchable
              data-autofocus
              flex={1}
              allowDeselect={false}
              placeholder="Choose the GPO"
              nothingFoundMessage="No Record Found"
              data={(gpos.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
              value={values.gpoId ? String(values.gpoId) : null}
              error={errors['gpoId'] ?? gpos.error?.message}
              onChange={(id) => set({ gpoId: Number(id), newGpo: '' })}
            />
            <Button
              variant="default"
              mt={LABEL}
              onClick={() => {
                setTyping(true);
                set({ gpoId: 0 });
              }}
            >
              New GPO
            </Button>
          </Group>
        )}
        <TextInput
          label="Member number"
          maxLength={60}
          autoComplete="off"
          data-autofocus={begun ? true : undefined}
          value={values.memberId}
          error={errors['memberId']}
          onChange={(event) => set({ memberId: event.currentTarget.value })}
        />
        <Group grow align="flex-start">
          <DateField
            label="From"
            required
            disabled={begun}
            value={values.from}
            error={errors['from']}
            onChange={(from) => set({ from })}
          />
          <DateField
            label="To"
            placeholder="no end"
            value={values.to}
            error={errors['to']}
            onChange={(to) => set({ to })}
          />
        </Group>
        <Checkbox
          label="Primary GPO"
          description={
            takesMark
              ? `${holder.gpo.name} is the primary GPO today and will no longer be.`
              : 'Its contract prices come before those of other groups. One at a time.'
          }
          checked={values.primary}
          error={errors['primary']}
          onChange={(event) => set({ primary: event.currentTarget.checked })}
        />
      </RecordForm>
    </RecordDrawer>
  );
}

type NewProps = { value: string; error: string | undefined; onChange: (name: string) => void; onChoose: () => void };

/** A group without members and contracts so far. */
function NewGpoField({ value, error, onChange, onChoose }: NewProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  return (
    <TextInput
      ref={input}
      label="New GPO"
      required
      maxLength={100}
      autoComplete="off"
      value={value}
      error={error}
      rightSectionWidth={130}
      rightSection={
        <Button size="compact-xs" variant="subtle" onClick={onChoose}>
          Choose from list
        </Button>
      }
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
