// The GPO memberships of a facility: group, member number, days, and which one is primary.
import { Button, Checkbox, Group, Select, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { EndDialog } from '#core/territories/territory-admin/EndDialog.tsx';
import { formatDate } from '#platform/shared/dates.ts';
import { Chip } from '#platform/ui/Chip.tsx';
import { fieldsOf } from '#platform/ui/form-fields.web.ts';
import { FromTo } from '#platform/ui/FromTo.tsx';
import { RecordDrawer } from '#platform/ui/RecordDrawer.tsx';
import { RecordForm } from '#platform/ui/RecordForm.tsx';
import { useRecordForm } from '#platform/ui/record-form.web.ts';
import type { PartProps } from '../contacts/FacilityContactsPanel.tsx';
import { DatedPart, isOver } from '../FacilityPart.tsx';
import { FacilityAdmin, type Membership, MembershipInput } from '../facility-admin.contract.ts';
import { daysInWords } from '../facility-words.ts';

export function GpoMembershipsPanel({ facility, record, mayEdit }: PartProps) {
  const { memberships, today, version } = record;
  return (
    <DatedPart
      title="GPO memberships"
      entryName="Membership"
      rows={memberships}
      today={today}
      none="No memberships."
      mayEdit={mayEdit}
      called={(membership) => `the membership of ${membership.gpo.name}`}
      name={(membership) => (
        <Text size="sm" fw={600}>
          {membership.gpo.name}
        </Text>
      )}
      chips={(membership) => (membership.primary ? <Chip tone="green">Primary</Chip> : null)}
      rest={(membership) => (
        <Text size="sm" className="muted tabular">
          {[membership.memberId, daysInWords(membership)].filter(Boolean).join(' · ')}
        </Text>
      )}
      edit={(membership, onClose) => (
        <MembershipDrawer
          membership={membership}
          facilityId={facility.id}
          memberships={memberships}
          version={version}
          today={today}
          onClose={onClose}
        />
      )}
      end={(membership, onClose) => (
        <EndDialog
          what={`the membership of ${membership.gpo.name}`}
          today={today}
          hint="Quotes keep their prices until they are repriced."
          end={(lastDay) =>
            api(FacilityAdmin).EndGpoMembership({ facilityId: facility.id, id: membership.id, lastDay, version })
          }
          onClose={onClose}
        />
      )}
    />
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
  const field = fieldsOf(form, MembershipInput, LABELS);
  const begun = membership !== null && membership.from <= today;
  const holder = memberships.find(
    (candidate) =>
      candidate.primary && candidate.id !== values.id && candidate.from <= today && !isOver(candidate, today),
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
            : field === 'from' || field === 'to'
              ? formatDate(String(value)) || 'no end'
              : undefined
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
        <TextInput {...field.text('memberId')} autoComplete="off" data-autofocus={begun ? true : undefined} />
        <FromTo values={values} errors={errors} begun={begun} onChange={set} />
        <Checkbox
          {...field.check('primary')}
          description={
            takesMark
              ? `${holder.gpo.name} is the primary GPO today and will be replaced.`
              : 'Its contract prices take precedence over those of other groups. Only one at a time.'
          }
        />
      </RecordForm>
    </RecordDrawer>
  );
}

type NewProps = { value: string; error: string | undefined; onChange: (name: string) => void; onChoose: () => void };

/** A group that has no members or contracts yet. */
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
