// Shows the questions of a kind, besides the columns: checkboxes, amounts, days, choices. The server receives the answers as the options of the
// import.
import { Checkbox, Group, Select, TextInput } from '@mantine/core';
import { HttpError } from '#platform/api/http-error.ts';
import { DateField } from '#platform/ui/DateField.tsx';
import type { ImportAsk } from '../data-import.contract.ts';

type Props = {
  asks: readonly ImportAsk[];
  answers: Record<string, unknown>;
  error: Error | null;
  onChange: (patch: Record<string, unknown>) => void;
};

export function AsksPanel({ asks, answers, error, onChange }: Props) {
  if (asks.length === 0) return null;
  const refused = error instanceof HttpError ? (error.errors ?? []) : [];
  const fields = asks.filter(({ type }) => type !== 'tick');
  const ticks = asks.filter(({ type }) => type === 'tick');
  const answer = ({ name, standard }: ImportAsk) => answers[name] ?? standard;
  return (
    <>
      {fields.length > 0 ? (
        <Group align="start" gap="md">
          {fields.map((ask) => (
            <Field
              key={ask.name}
              ask={ask}
              value={answer(ask) as string}
              error={refused.find(({ path }) => path === `options.${ask.name}`)?.message}
              onChange={(value) => onChange({ [ask.name]: value })}
            />
          ))}
        </Group>
      ) : null}
      {ticks.map((ask) => (
        <Checkbox
          key={ask.name}
          label={ask.label}
          description={ask.hint}
          checked={answer(ask) === true}
          onChange={(event) => onChange({ [ask.name]: event.currentTarget.checked })}
        />
      ))}
    </>
  );
}

type FieldProps = { ask: ImportAsk; value: string; error: string | undefined; onChange: (value: string) => void };

function Field({ ask, value, error, onChange }: FieldProps) {
  const { label, hint, type, choices = [], suffix } = ask;
  const shared = {
    label,
    description: hint,
    error,
    w: { base: '100%', xs: 300 },
    // Aligns adjacent fields, whatever the length of their hints.
    inputWrapperOrder: ['label', 'input', 'description', 'error'] as ('label' | 'input' | 'description' | 'error')[],
  };
  if (type === 'choice')
    return (
      <Select
        {...shared}
        data={choices}
        allowDeselect={false}
        value={value}
        onChange={(next) => onChange(next ?? '')}
      />
    );
  if (type === 'day') return <DateField {...shared} value={value} onChange={onChange} />;
  return (
    <TextInput
      {...shared}
      inputMode={type === 'number' ? 'decimal' : 'text'}
      autoComplete="off"
      rightSection={suffix}
      rightSectionPointerEvents="none"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
