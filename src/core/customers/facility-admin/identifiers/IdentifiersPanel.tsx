// Lists the numbers that other organizations use for a facility, each with its first and last day.
import { Select, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { api } from '#platform/api/client.web.ts';
import { EndDialog } from '#core/territories/territory-admin/EndDialog.tsx';
import { formatDate } from '#platform/shared/dates.ts';
import { FromTo } from '#platform/ui/FromTo.tsx';
import { RecordDrawer } from '#platform/ui/RecordDrawer.tsx';
import { RecordForm } from '#platform/ui/RecordForm.tsx';
import { useRecordForm } from '#platform/ui/record-form.web.ts';
import type { PartProps } from '../contacts/FacilityContactsPanel.tsx';
import { DatedPart } from '../FacilityPart.tsx';
import { FacilityAdmin, type FacilityIdentifier, IdentifierInput } from '../facility-admin.contract.ts';
import { daysInWords } from '../facility-words.ts';
import { IDENTIFIER_KINDS, IDENTIFIER_LABELS } from './identifier.ts';

export function IdentifiersPanel({ facility, record, mayEdit }: PartProps) {
  const { identifiers, otherAccounts, today, version } = record;
  const nameOf = ({ kind, gpo, value }: FacilityIdentifier) => `${gpo ? `${gpo.name} member` : kind} ${value}`;
  return (
    <DatedPart
      title="Identifiers"
      first={otherAccounts.map(({ acctNo, name }) => (
        <Text size="sm" key={acctNo}>
          Account <b className="tabular">{acctNo}</b> {name}
          <span className="muted"> merged into this one</span>
        </Text>
      ))}
      entryName="Identifier"
      rows={identifiers}
      today={today}
      none="No HIN, GLN or member id."
      mayEdit={mayEdit}
      called={nameOf}
      name={({ kind, gpo, value }) => (
        <Text size="sm">
          {gpo ? `${gpo.name} member` : kind} <b className="tabular">{value}</b>
        </Text>
      )}
      chips={() => null}
      rest={(identifier) => (
        <Text size="sm" className="muted tabular">
          {identifier.from || identifier.to ? daysInWords(identifier) : 'always'}
        </Text>
      )}
      edit={(identifier, onClose) => (
        <IdentifierDrawer
          identifier={identifier}
          facilityId={facility.id}
          version={version}
          today={today}
          onClose={onClose}
        />
      )}
      end={(identifier, onClose) => (
        <EndDialog
          what={nameOf(identifier)}
          today={today}
          hint="Imports will no longer find the facility by it."
          end={(lastDay) =>
            api(FacilityAdmin).EndFacilityIdentifier({ facilityId: facility.id, id: identifier.id, lastDay, version })
          }
          onClose={onClose}
        />
      )}
    />
  );
}

const LABELS = { kind: 'Kind', gpoId: 'GPO', value: 'Number', from: 'From', to: 'To' };

type DrawerProps = {
  identifier: FacilityIdentifier | null;
  facilityId: number;
  version: number;
  today: string;
  onClose: () => void;
};

function IdentifierDrawer({ identifier, facilityId, version, today, onClose }: DrawerProps) {
  const gpos = useQuery(api(FacilityAdmin).GetGpoSimpleData.query({}));
  const form = useRecordForm({
    record: {
      id: identifier?.id ?? 0,
      facilityId,
      kind: identifier?.kind ?? ('HIN' as const),
      gpoId: identifier?.gpo?.id ?? null,
      value: identifier?.value ?? '',
      from: identifier ? identifier.from : today,
      to: identifier?.to ?? '',
      version,
    },
    schema: IdentifierInput,
    save: (input) => api(FacilityAdmin).SaveFacilityIdentifier(input),
    onSaved: ({ value }) => {
      notifications.show({ message: `${value} is saved.` });
      onClose();
    },
  });
  const { values, errors, set } = form;
  return (
    <RecordDrawer title={identifier ? 'Edit Identifier' : 'Add Identifier'} onClose={onClose}>
      <RecordForm
        form={form}
        label="Identifier"
        labels={LABELS}
        inWords={(field, value) =>
          field === 'gpoId'
            ? (gpos.data?.find(({ id }) => id === value)?.name ?? '–')
            : field === 'from' || field === 'to'
              ? formatDate(String(value))
              : undefined
        }
        onCancel={onClose}
      >
        <Select
          label="Kind"
          allowDeselect={false}
          data={IDENTIFIER_KINDS.map((kind) => ({ value: kind, label: IDENTIFIER_LABELS[kind] }))}
          value={values.kind}
          onChange={(next) => set({ kind: IDENTIFIER_KINDS.find((kind) => kind === next) ?? values.kind })}
        />
        {values.kind === 'GPO member' ? (
          <Select
            label="GPO"
            required
            searchable
            allowDeselect={false}
            placeholder="Choose the GPO"
            nothingFoundMessage="No Record Found"
            data={(gpos.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
            value={values.gpoId === null ? null : String(values.gpoId)}
            error={errors['gpoId'] ?? gpos.error?.message}
            onChange={(id) => set({ gpoId: Number(id) })}
          />
        ) : null}
        <TextInput
          label="Number"
          required
          data-autofocus
          maxLength={60}
          autoComplete="off"
          value={values.value}
          error={errors['value']}
          onChange={(event) => set({ value: event.currentTarget.value })}
        />
        <FromTo values={values} errors={errors} onChange={set} />
      </RecordForm>
    </RecordDrawer>
  );
}
