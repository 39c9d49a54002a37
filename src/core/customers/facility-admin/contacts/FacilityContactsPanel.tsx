// The contacts of a facility, which administrators add, change and remove.
import { Anchor, Skeleton, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import type { Contact, FacilityData } from '#core/customers/facilities/facilities.contract.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx';
import { pasteAddress } from '#platform/ui/paste-address.web.ts';
import { RecordDrawer } from '#platform/ui/RecordDrawer.tsx';
import { RecordForm } from '#platform/ui/RecordForm.tsx';
import { useRecordForm } from '#platform/ui/record-form.web.ts';
import { Entries, Entry, FacilityPart, PartButton } from '../FacilityPart.tsx';
import { ContactInput, FacilityAdmin, type FacilityRecord } from '../facility-admin.contract.ts';

/** The props of every part of the details. */
export type PartProps = { facility: FacilityData; record: FacilityRecord; mayEdit: boolean };

export function FacilityContactsPanel({ facility, mayEdit }: PartProps) {
  const [editing, setEditing] = useState<Contact | 'new' | null>(null);
  const [removing, setRemoving] = useState<Contact | null>(null);
  return (
    <FacilityPart
      title="Contacts"
      actions={mayEdit ? <PartButton label="Add" says="Add Contact" onClick={() => setEditing('new')} /> : null}
    >
      {facility.contacts.length === 0 ? (
        <Text size="sm" className="muted">
          No contacts.
        </Text>
      ) : (
        <Entries label="Contacts">
          {facility.contacts.map((contact) => (
            <Entry
              key={contact.id}
              actions={
                mayEdit ? (
                  <>
                    <PartButton label="Edit" says={`Edit ${contact.name}`} onClick={() => setEditing(contact)} />
                    <PartButton label="Remove" says={`Remove ${contact.name}`} onClick={() => setRemoving(contact)} />
                  </>
                ) : null
              }
            >
              <OneContact contact={contact} />
            </Entry>
          ))}
        </Entries>
      )}
      {editing ? (
        <ContactDrawer
          contact={editing === 'new' ? null : editing}
          facilityId={facility.id}
          version={facility.version}
          onClose={() => setEditing(null)}
        />
      ) : null}
      {removing ? <RemoveDialog contact={removing} facility={facility} onClose={() => setRemoving(null)} /> : null}
    </FacilityPart>
  );
}

function OneContact({ contact: { name, title, email, phone } }: { contact: Contact }) {
  return (
    <>
      <Text size="sm" fw={600}>
        {name}
      </Text>
      {title ? (
        <Text size="sm" className="muted">
          {title}
        </Text>
      ) : null}
      {email ? (
        <Text size="sm">
          <Anchor href={`mailto:${email}`} inherit>
            {email}
          </Anchor>
        </Text>
      ) : null}
      {phone ? (
        <Text size="sm" className="tabular">
          {phone}
        </Text>
      ) : null}
    </>
  );
}

type DrawerProps = { contact: Contact | null; facilityId: number; version: number; onClose: () => void };
const LABELS = { name: 'Name', title: 'Title', email: 'Email', phone: 'Phone' };

function ContactDrawer({ contact, facilityId, version, onClose }: DrawerProps) {
  const form = useRecordForm({
    record: { ...(contact ?? { id: 0, name: '', title: '', email: '', phone: '' }), facilityId, version },
    schema: ContactInput,
    save: (input) => api(FacilityAdmin).SaveFacilityContact(input),
    onSaved: (saved) => {
      notifications.show({ message: `${saved.name} is saved.` });
      onClose();
    },
  });
  const text = (field: keyof typeof LABELS) => ({
    label: LABELS[field],
    autoComplete: 'off',
    value: form.values[field],
    error: form.errors[field],
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) => form.set({ [field]: currentTarget.value }),
  });
  return (
    <RecordDrawer title={contact ? 'Edit Contact' : 'Add Contact'} onClose={onClose}>
      <RecordForm form={form} label="Contact" labels={LABELS} onCancel={onClose}>
        <TextInput {...text('name')} required maxLength={100} data-autofocus />
        <TextInput {...text('title')} maxLength={100} />
        <TextInput {...text('email')} type="email" onPaste={pasteAddress} maxLength={320} />
        <TextInput {...text('phone')} maxLength={40} />
      </RecordForm>
    </RecordDrawer>
  );
}

type RemoveProps = { contact: Contact; facility: FacilityData; onClose: () => void };

function RemoveDialog({ contact, facility: { id: facilityId, version }, onClose }: RemoveProps) {
  const use = useQuery({
    ...api(FacilityAdmin).GetContactUse.query({ facilityId, id: contact.id }),
    staleTime: 0,
  });
  const removal = useMutation({
    ...api(FacilityAdmin).RemoveFacilityContact.mutation(),
    onSuccess: () => {
      notifications.show({ message: `${contact.name} is removed.` });
      onClose();
    },
  });
  const open = use.data?.openQuotes ?? 0;
  return (
    <ConfirmDialog
      title={`Remove ${contact.name}?`}
      action="Remove"
      harmful
      busy={removal.isPending}
      error={removal.error ?? use.error}
      onConfirm={() => removal.mutate({ facilityId, id: contact.id, version })}
      onClose={onClose}
    >
      {use.isPending ? (
        <Skeleton height={40} aria-label="Loading" />
      ) : (
        `${contact.name} can no longer be chosen for new quotes. ${
          open === 0
            ? 'No open quote names this contact.'
            : `${countOf(open, 'open quote names this contact and keeps', 'open quotes name this contact and keep')} the name, email and phone.`
        }`
      )}
    </ConfirmDialog>
  );
}
