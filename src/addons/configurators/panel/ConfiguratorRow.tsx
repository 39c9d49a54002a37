// One item of a configurator: its name, its changes, the catalog item it matches, and whose price it gets.
import { Checkbox, Group, NativeSelect, Stack, Text } from '@mantine/core';
import type { ConfiguratorItem } from '../configurator.contract.ts';
import { formatPrice } from '#platform/shared/money.ts';
import { Chip } from '#platform/ui/Chip.tsx';
import { candidateOf, type Choice, getsTheirs, isTicked, openQuestion } from './wishes.ts';

const CHANGE_WORDS = { new: 'New', same: 'Unchanged', changed: 'Changed', gone: 'Removed' } as const;
const CHANGE_TONES = { new: 'green', same: 'blue', changed: 'orange', gone: 'red' } as const;
const FIELD_WORDS = {
  itemNumber: 'Item',
  description: 'Description',
  qty: 'Quantity',
  unit: 'Unit',
  optionText: 'Options',
  price: 'Price',
} as const;

type Props = {
  item: ConfiguratorItem;
  choice: Choice;
  currnIdx: number;
  disabled: boolean;
  onChoose: (choice: Choice) => void;
};

export function ConfiguratorRow({ item, choice, currnIdx, disabled, onChoose }: Props) {
  const { change, position, after, before, line } = item;
  const visible = after ?? before;
  const question = openQuestion(item, choice);
  const name = `position ${position || '?'}${visible ? `, ${visible.itemNumber}` : ''}`;
  return (
    <Group
      component="li"
      wrap="nowrap"
      align="flex-start"
      gap="sm"
      py={8}
      style={{ borderTop: '1px solid var(--app-line)' }}
    >
      <Checkbox
        mt={2}
        aria-label={`Select ${name}`}
        checked={isTicked(item, choice)}
        disabled={disabled || change === 'same' || question !== ''}
        onChange={(event) => onChoose({ ...choice, ticked: event.currentTarget.checked })}
      />
      <Stack gap={4} flex={1} miw={0} style={{ overflowWrap: 'anywhere' }}>
        <Group gap="xs">
          <Chip tone={CHANGE_TONES[change]}>{CHANGE_WORDS[change]}</Chip>
          <Text size="sm" fw={600}>
            {visible?.itemNumber || 'No item number'}
          </Text>
          <Text size="sm" className="tabular">
            {visible?.qty ?? ''} {visible?.unit}
          </Text>
          <Text size="xs" className="muted">
            Position {position || 'missing'}
            {line ? ` · line ${line.lineNo}${line.linked ? '' : ', unlinked'}` : ''}
          </Text>
        </Group>
        <Text size="sm">
          {[visible?.description || candidateOf(item, choice)?.description, visible?.optionText]
            .filter(Boolean)
            .join(' · ')}
        </Text>
        {change === 'changed' ? <Differences item={item} currnIdx={currnIdx} /> : null}
        {change === 'gone' ? (
          <Text size="sm" className={item.problem ? 'warning' : undefined}>
            {item.problem || 'This item is no longer in the configuration.'} Select it to remove its line.
          </Text>
        ) : null}
        {question ? (
          <Text size="sm" className="warning">
            {question}
          </Text>
        ) : null}
        {item.isUnderstood && change !== 'gone' && change !== 'same' && !disabled ? (
          <Meant item={item} choice={choice} name={name} onChoose={onChoose} />
        ) : null}
        {after && after.price !== null && change !== 'same' ? (
          <Checkbox
            size="xs"
            label={`Use the configurator price, ${formatPrice(after.price, currnIdx)}`}
            aria-label={`Use the configurator price for ${name}, ${formatPrice(after.price, currnIdx)}`}
            checked={getsTheirs(item, choice)}
            disabled={disabled || !isTicked(item, choice)}
            onChange={(event) => onChoose({ ...choice, theirs: event.currentTarget.checked })}
          />
        ) : null}
      </Stack>
    </Group>
  );
}

function Differences({ item: { fields, before, after }, currnIdx }: Pick<Props, 'item' | 'currnIdx'>) {
  const words = (value: string | number | null | undefined, field: string) => {
    if (value === null || value === undefined || value === '') return 'none';
    return field === 'price' && typeof value === 'number' ? formatPrice(value, currnIdx) : String(value);
  };
  return fields.map((field) => (
    <Text key={field} size="sm">
      {FIELD_WORDS[field]}: <del>{words(before?.[field], field)}</del> → <ins>{words(after?.[field], field)}</ins>
    </Text>
  ));
}

const CUSTOM = 'custom';

/** Prompts for the catalog item and the unit that the configurator means, if that is ambiguous. */
function Meant({ item, choice, name, onChoose }: Pick<Props, 'item' | 'choice' | 'onChoose'> & { name: string }) {
  const candidate = candidateOf(item, choice);
  const asksItem = item.match !== 'found';
  const asksUnit =
    candidate !== undefined && !choice.custom && item.problem !== '' && candidate.unit === '' && !candidate.gone;
  if (!asksItem && !asksUnit) return null;
  return (
    <Group gap="xs">
      {asksItem ? (
        <NativeSelect
          size="xs"
          aria-label={`Item for ${name}`}
          value={choice.custom ? CUSTOM : String(choice.itemId ?? '')}
          data={[
            { value: '', label: 'Choose an item' },
            ...item.candidates.map(({ itemId, itemNumber, description, gone }) => ({
              value: String(itemId),
              label: `${itemNumber} ${description}`.slice(0, 80),
              disabled: gone,
            })),
            { value: CUSTOM, label: 'Add as custom item' },
          ]}
          onChange={(event) => {
            const { value } = event.currentTarget;
            const { itemId: _itemId, unit: _unit, custom: _custom, ...rest } = choice;
            if (value === CUSTOM) onChoose({ ...rest, custom: true });
            else onChoose(value === '' ? rest : { ...rest, itemId: Number(value) });
          }}
        />
      ) : null}
      {asksUnit ? (
        <NativeSelect
          size="xs"
          aria-label={`Unit for ${name}`}
          value={choice.unit ?? ''}
          data={['', ...candidate.units.map(({ unit }) => unit)].map((unit) => ({
            value: unit,
            label: unit || 'Choose a unit',
          }))}
          onChange={(event) => onChoose({ ...choice, unit: event.currentTarget.value })}
        />
      ) : null}
    </Group>
  );
}
