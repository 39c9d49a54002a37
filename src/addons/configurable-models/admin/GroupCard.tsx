// The card of one group of a model: its name, the limits on the number of chosen options, and the options.
import { ActionIcon, Button, Group, Select, Text, TextInput } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconPencil, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { NumberField } from '#platform/ui/NumberField.tsx';
import type { ModelGroup, ModelOption } from '../configurable-models.contract.ts';
import { quantityInWords } from '../rules/model.ts';
import classes from './admin.module.css';

const LIMITS = {
  one: { label: 'One', min: 1, max: 1 },
  oneOrNone: { label: 'One or none', min: 0, max: 1 },
  any: { label: 'Any number', min: 0, max: null },
  some: { label: 'At least one', min: 1, max: null },
} as const;

type Props = {
  group: ModelGroup;
  groups: ModelGroup[];
  /** The path of the group's errors, such as `groups.3`. */
  path: string;
  errors: Record<string, string>;
  onChange: (patch: Partial<ModelGroup>) => void;
  /** Like `onChange`, but the user can undo it. */
  onPut: (patch: Partial<ModelGroup>) => void;
  onMove: (by: 1 | -1) => void;
  onRemove: () => void;
  onOption: (option: ModelOption | null) => void;
};

export function GroupCard({ group, path, errors, onChange, onMove, onRemove, onOption, ...rest }: Props) {
  const name = group.name || 'unnamed group';
  return (
    <section className={classes['group']} aria-label={`Group ${name}`}>
      <Group align="start" gap="xs">
        <TextInput
          className={classes['grows']}
          label="Group"
          required
          maxLength={100}
          value={group.name}
          error={errors[`${path}.name`]}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
        <Limits group={group} path={path} errors={errors} onChange={onChange} />
        <Group gap={4} mt={26} wrap="nowrap">
          <Moves name={`group ${name}`} onMove={onMove} onRemove={onRemove} />
        </Group>
      </Group>
      <TextInput
        mt={6}
        size="xs"
        aria-label={`Hint for ${name}`}
        placeholder="Hint for choosing an option"
        maxLength={300}
        value={group.hint}
        error={errors[`${path}.hint`]}
        onChange={(event) => onChange({ hint: event.currentTarget.value })}
      />
      <Options group={group} path={path} errors={errors} onOption={onOption} {...rest} />
      {errors[`${path}.options`] ? (
        <Text size="sm" c="red" role="alert">
          {errors[`${path}.options`]}
        </Text>
      ) : null}
      <Button mt="xs" size="compact-sm" variant="default" onClick={() => onOption(null)}>
        Add option
      </Button>
    </section>
  );
}

function Limits({ group, path, errors, onChange }: Pick<Props, 'group' | 'path' | 'errors' | 'onChange'>) {
  const { min, max } = group;
  const known = Object.entries(LIMITS).find(([, limit]) => limit.min === min && limit.max === max);
  return (
    <>
      <Select
        w={140}
        label="Options to choose"
        allowDeselect={false}
        data={[
          ...Object.entries(LIMITS).map(([value, { label }]) => ({ value, label })),
          { value: 'limits', label: 'From … to …' },
        ]}
        value={known?.[0] ?? 'limits'}
        onChange={(next) => {
          if (next === 'limits') onChange({ min: 1, max: 2 });
          else if (next)
            onChange({ min: LIMITS[next as keyof typeof LIMITS].min, max: LIMITS[next as keyof typeof LIMITS].max });
        }}
      />
      {known ? null : (
        <>
          <NumberField
            w={80}
            label="From"
            min={0}
            max={500}
            decimals={0}
            value={min}
            error={errors[`${path}.min`]}
            onChange={(next) => onChange({ min: next })}
          />
          <NumberField
            w={80}
            label="To"
            placeholder="No limit"
            min={1}
            max={500}
            decimals={0}
            value={max ?? Number.NaN}
            error={errors[`${path}.max`]}
            onClear={() => onChange({ max: null })}
            onChange={(next) => onChange({ max: next })}
          />
        </>
      )}
    </>
  );
}

type OptionsProps = Pick<Props, 'group' | 'groups' | 'path' | 'errors' | 'onPut' | 'onOption'>;

function Options({ group, groups, path, errors, onPut, onOption }: OptionsProps) {
  const { options } = group;
  const move = (at: number, by: 1 | -1) => {
    const [option] = options.slice(at, at + 1);
    const to = at + by;
    if (option && to >= 0 && to < options.length) onPut({ options: options.toSpliced(at, 1).toSpliced(to, 0, option) });
  };
  if (options.length === 0) {
    return (
      <Text size="sm" py="xs" className="muted">
        No options yet.
      </Text>
    );
  }
  return (
    <ol className={classes['options']} aria-label={`Options of ${group.name || 'the group'}`}>
      {options.map((option, index) => {
        const at = `${path}.options.${index}.`;
        const wrong = Object.keys(errors).find((candidate) => candidate.startsWith(at));
        const problem = wrong ? errors[wrong] : option.problem;
        return (
          <li key={option.id} className={classes['option']}>
            <div className={classes['what']}>
              <b>{option.label || 'Unnamed option'}</b>
              <span className="muted tabular"> {aboutOf(groups, option)}</span>
              <Problem>{problem}</Problem>
            </div>
            <Group gap={4} wrap="nowrap">
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={`Edit ${option.label}`}
                onClick={() => onOption(option)}
              >
                <IconPencil size={16} aria-hidden />
              </ActionIcon>
              <Moves
                name={option.label}
                onMove={(by) => move(index, by)}
                onRemove={() => onPut({ options: options.toSpliced(index, 1) })}
              />
            </Group>
          </li>
        );
      })}
    </ol>
  );
}

/** The item and its quantity, in words. */
function aboutOf(groups: ModelGroup[], option: ModelOption): string {
  if (!option.itemNumber && option.quantity === 'fixed') return 'no item';
  return [option.itemNumber || 'no item', quantityInWords({ groups }, option)].join(' · ');
}

export function Problem({ children }: { children: ReactNode }) {
  return children ? (
    <Text size="xs" c="red">
      {children}
    </Text>
  ) : null;
}

type MovesProps = { name: string; onMove: (by: 1 | -1) => void; onRemove: () => void };

export function Moves({ name, onMove, onRemove }: MovesProps) {
  return (
    <>
      <ActionIcon variant="subtle" color="gray" aria-label={`Move ${name} up`} onClick={() => onMove(-1)}>
        <IconArrowUp size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon variant="subtle" color="gray" aria-label={`Move ${name} down`} onClick={() => onMove(1)}>
        <IconArrowDown size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon variant="subtle" color="gray" aria-label={`Remove ${name}`} onClick={onRemove}>
        <IconX size={16} aria-hidden />
      </ActionIcon>
    </>
  );
}
