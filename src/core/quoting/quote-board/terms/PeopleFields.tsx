// The contact and the representatives of the quote. Each field is saved separately.
import { Select, SimpleGrid } from '@mantine/core';
import { QUOTE_LABELS } from '#core/quoting/quotes/quote-fields.ts';
import { withoutName } from '#platform/shared/mail-addresses.ts';
import type { Named } from '#platform/shared/wire.ts';
import { REPS, useQuoteFields } from './quote-fields.web.ts';
import { TextOf } from './TermFields.tsx';

export function PeopleFields() {
  const { quote, lookups, save, of, locked } = useQuoteFields();
  const choices = (list: Named[] | undefined, current: { id: number | null; name: string }) => {
    const all = (list ?? []).map(({ id, name }) => ({ value: String(id), label: name }));
    if (current.id !== null && !all.some((candidate) => candidate.value === String(current.id)))
      all.push({ value: String(current.id), label: current.name });
    return all;
  };
  const rep = (name: (typeof REPS)[number]) => {
    const field = `${name}Id` as const;
    return (
      <Select
        key={field}
        wrapperProps={{ 'data-shows': field }}
        label={QUOTE_LABELS[field]}
        searchable
        disabled={locked.commercial}
        data={choices(lookups?.[`${name}s` as const], quote[name])}
        value={quote[field] ? String(quote[field]) : null}
        onChange={(id) => save({ [field]: id === null ? null : Number(id) })}
      />
    );
  };
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 1 }} spacing="xs">
      <TextOf
        {...of('contactName')}
        options={lookups?.contacts.map((contact) => contact.name)}
        disabled={locked.notes}
        onSave={(contactName) => {
          const known = lookups?.contacts.find((contact) => contact.name === contactName);
          save(known ? { contactName, contactEmail: known.email, phone: known.phone } : { contactName });
        }}
      />
      <TextOf
        {...of('contactEmail')}
        disabled={locked.notes}
        onSave={(contactEmail) => save({ contactEmail: withoutName(contactEmail) })}
      />
      <TextOf {...of('phone')} disabled={locked.notes} />
      {REPS.map(rep)}
    </SimpleGrid>
  );
}
