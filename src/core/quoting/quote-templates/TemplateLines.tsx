// Edits the lines of a template: add by type-ahead, paste, section or note, and change, move, remove, and undo.
import { ActionIcon, Button, Group, NativeSelect, Text, TextInput, Title } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconX } from '@tabler/icons-react';
import { type KeyboardEvent, memo, useCallback, useLayoutEffect, useRef, useState } from 'react';
import { firstUnit, Thumbnail } from '#core/catalog/items/ItemMarks.tsx';
import type { ItemHit } from '#core/catalog/items/items.contract.ts';
import { AddLine } from '#core/quoting/quote-edit/lines/AddLine.tsx';
import { MAX_DESCRIPTION_LENGTH } from '#core/quoting/quote-edit/lines/quote-item.ts';
import PasteDialog from '#core/quoting/quote-edit/paste/PasteDialog.tsx';
import type { ReadyRow } from '#core/quoting/quote-edit/paste/paste-rows.ts';
import { plainNumber } from '#platform/shared/typed-number.ts';
import { useKeys } from '#platform/ui/keys.tsx';
import { MAX_LINES, type TemplateItemLook, type TemplateLine } from './quote-templates.contract.ts';
import classes from './templates.module.css';

type Props = {
  lines: TemplateLine[];
  /** The names and pictures of the items when the template was read. */
  looks: TemplateItemLook[];
  /** Messages by path, such as `items.3.qty`. */
  errors: Record<string, string>;
  onChange: (lines: TemplateLine[]) => void;
};

/** Keeps the key of a row while its contents change. */
const rowKeys = new WeakMap<TemplateLine, number>();
let lastKey = 0;
function rowKey(line: TemplateLine): number {
  const key = rowKeys.get(line) ?? ++lastKey;
  rowKeys.set(line, key);
  return key;
}

const BLANK = { itemId: null, itemNumber: '', description: '', itemDescription: '', qty: 1, unit: '', units: [] };

export function TemplateLines({ lines, looks, errors, onChange }: Props) {
  /** The names and pictures of items that the user added. */
  const [added, setAdded] = useState<TemplateItemLook[]>([]);
  const lookOf = new Map([...looks, ...added].map((look) => [look.id, look]));
  const [past, setPast] = useState<TemplateLine[][]>([]);
  const [pasted, setPasted] = useState<string | null>(null);
  const addField = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const now = useRef({ lines, onChange });
  useLayoutEffect(() => {
    now.current = { lines, onChange };
  });

  /** Applies a change that this component can undo: removing, adding and moving. The text field itself undoes typing. */
  const put = useCallback((next: TemplateLine[]) => {
    const before = now.current.lines;
    setPast((all) => [...all.slice(-49), before]);
    now.current.onChange(next);
  }, []);
  const change = useCallback((line: TemplateLine, patch: Partial<TemplateLine>) => {
    const next = { ...line, ...patch };
    rowKeys.set(next, rowKey(line));
    now.current.onChange(now.current.lines.map((entry) => (entry === line ? next : entry)));
  }, []);
  const remove = useCallback(
    (line: TemplateLine) => put(now.current.lines.filter((candidate) => candidate !== line)),
    [put],
  );
  const move = useCallback(
    (line: TemplateLine, by: 1 | -1) => {
      const at = now.current.lines.indexOf(line);
      const to = at + by;
      if (to < 0 || to >= now.current.lines.length) return;
      put(now.current.lines.toSpliced(at, 1).toSpliced(to, 0, line));
    },
    [put],
  );
  const undo = () => {
    const before = past.at(-1);
    if (!before) return;
    setPast(past.slice(0, -1));
    onChange(before);
  };
  const add = async (more: TemplateLine[]) => {
    if (now.current.lines.length + more.length > MAX_LINES) {
      throw new Error(`A template has at most ${MAX_LINES} lines.`);
    }
    put([...now.current.lines, ...more]);
  };
  const addHit = (hit: ItemHit) => {
    setAdded((all) => [...all, hit]);
    return add([
      {
        ...BLANK,
        type: 'item',
        itemId: hit.id,
        itemNumber: hit.itemNumber,
        itemDescription: hit.description,
        unit: firstUnit(hit),
        units: hit.units.map(({ unit }) => unit),
        problem: '',
      },
    ]);
  };
  const addPasted = (rows: ReadyRow[]) =>
    add(
      rows.map(({ item, qty, unit }) => ({
        ...BLANK,
        type: 'item',
        itemId: item.itemId,
        itemNumber: item.itemNumber,
        itemDescription: item.description,
        qty,
        unit,
        units: item.units.map((entry) => entry.unit),
        problem: '',
      })),
    );
  const addText = (type: 'section' | 'note') => {
    if (lines.length >= MAX_LINES) return;
    put([...lines, { ...BLANK, type, description: '', problem: '' }]);
    requestAnimationFrame(() => list.current?.querySelector<HTMLInputElement>('li:last-child input')?.focus());
  };
  useKeys([
    { key: '+', label: 'Add a line', run: () => addField.current?.focus() },
    { key: 'mod+z', label: 'Undo', run: undo, disabled: past.length === 0 },
  ]);

  const marked = lines.filter(({ problem }) => problem !== '').length;
  return (
    <section aria-labelledby="template-lines" ref={list}>
      <Group justify="space-between" mb="xs">
        <Group gap="xs">
          <Title order={2} size="h5" id="template-lines">
            Lines
          </Title>
          <Text className="muted tabular">{lines.length}</Text>
        </Group>
        <Group gap="xs">
          <Button size="compact-sm" variant="default" onClick={() => setPasted('')}>
            Paste
          </Button>
          <Button size="compact-sm" variant="default" onClick={() => addText('section')}>
            Section
          </Button>
          <Button size="compact-sm" variant="default" onClick={() => addText('note')}>
            Note
          </Button>
          <Button size="compact-sm" variant="subtle" color="gray" disabled={past.length === 0} onClick={undo}>
            Undo
          </Button>
        </Group>
      </Group>
      {marked > 0 ? (
        <Text size="sm" c="red" role="status" mb="xs">
          {marked === 1 ? '1 line' : `${marked} lines`} cannot be added to quotes; the rest can.
        </Text>
      ) : null}
      {errors['items'] ? (
        <Text size="sm" c="red" role="alert">
          {errors['items']}
        </Text>
      ) : null}
      {lines.length === 0 ? (
        <Text ta="center" py="lg" className="muted">
          No lines yet. Enter an item below or paste rows from a spreadsheet.
        </Text>
      ) : (
        <ol className={classes['lines']} aria-label="Lines">
          {lines.map((line, index) => (
            <Row
              key={rowKey(line)}
              line={line}
              look={lookOf.get(line.itemId ?? 0)}
              place={index + 1}
              error={errorOf(errors, index)}
              onChange={change}
              onMove={move}
              onRemove={remove}
            />
          ))}
        </ol>
      )}
      <AddLine inputRef={addField} onAdd={addHit} onPasteTable={setPasted} />
      {pasted === null ? null : <PasteDialog text={pasted} onAdd={addPasted} onClose={() => setPasted(null)} />}
    </section>
  );
}

/** The first message of a line. */
function errorOf(errors: Record<string, string>, index: number): string {
  const path = Object.keys(errors).find((candidate) => candidate.startsWith(`items.${index}.`));
  return path ? (errors[path] ?? '') : '';
}

type RowProps = {
  line: TemplateLine;
  look: TemplateItemLook | undefined;
  place: number;
  error: string;
  onChange: (line: TemplateLine, patch: Partial<TemplateLine>) => void;
  onMove: (line: TemplateLine, by: 1 | -1) => void;
  onRemove: (line: TemplateLine) => void;
};

/** Renders only when it changes, because a template may have hundreds of lines. */
const Row = memo(function Row({ line, look, place, error, onChange, onMove, onRemove }: RowProps) {
  const name = line.type === 'item' ? line.itemNumber : `line ${place}`;
  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    onMove(line, event.key === 'ArrowUp' ? -1 : 1);
  };
  return (
    <li>
      {/* The keys belong to the fields inside. This element itself is not interactive. */}
      <div role="presentation" className={classes['line']} data-type={line.type} onKeyDown={onKeyDown}>
        <span className={`${classes['place']} muted tabular`}>{place}</span>
        {look?.imgThumbnailUrl ? <Thumbnail url={look.imgThumbnailUrl} size={32} /> : null}
        <div className={classes['what']}>
          {line.type === 'item' ? (
            <>
              <b className="tabular">{line.itemNumber}</b>
              {look?.productName ? <span className="muted"> · {look.productName}</span> : null}
              <TextInput
                size="xs"
                aria-label={`Description of ${name}`}
                title="Empty: the item’s description"
                placeholder={line.itemDescription}
                maxLength={MAX_DESCRIPTION_LENGTH}
                value={line.description}
                onChange={(event) => onChange(line, { description: event.currentTarget.value })}
              />
            </>
          ) : (
            <TextInput
              size="xs"
              aria-label={`${line.type === 'section' ? 'Section' : 'Note'}, ${name}`}
              placeholder={line.type === 'section' ? 'Name of the section' : 'Note'}
              maxLength={MAX_DESCRIPTION_LENGTH}
              value={line.description}
              error={error}
              onChange={(event) => onChange(line, { description: event.currentTarget.value })}
            />
          )}
          {line.problem || (line.type === 'item' && error) ? (
            <Text size="xs" c="red">
              {error || line.problem}
            </Text>
          ) : null}
        </div>
        {line.type === 'item' ? (
          <div className={classes['amount']}>
            <Quantity name={name} line={line} invalid={error !== ''} onChange={onChange} />
            <NativeSelect
              size="xs"
              w={84}
              aria-label={`Unit of ${name}`}
              data={line.units.includes(line.unit) ? line.units : [line.unit, ...line.units]}
              value={line.unit}
              onChange={(event) => {
                const unit = event.currentTarget.value;
                const unitWasWrong = !line.units.includes(line.unit);
                onChange(line, { unit, ...(unitWasWrong && line.units.includes(unit) ? { problem: '' } : {}) });
              }}
            />
          </div>
        ) : null}
        <div className={classes['buttons']}>
          <ActionIcon variant="subtle" color="gray" aria-label={`Move ${name} up`} onClick={() => onMove(line, -1)}>
            <IconArrowUp size={16} aria-hidden />
          </ActionIcon>
          <ActionIcon variant="subtle" color="gray" aria-label={`Move ${name} down`} onClick={() => onMove(line, 1)}>
            <IconArrowDown size={16} aria-hidden />
          </ActionIcon>
          <ActionIcon variant="subtle" color="gray" aria-label={`Remove ${name}`} onClick={() => onRemove(line)}>
            <IconX size={16} aria-hidden />
          </ActionIcon>
        </div>
      </div>
    </li>
  );
});

function Quantity(props: { name: string; line: TemplateLine; invalid: boolean; onChange: RowProps['onChange'] }) {
  const { name, line, invalid, onChange } = props;
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <TextInput
      size="xs"
      w={84}
      inputMode="decimal"
      aria-label={`Quantity of ${name}`}
      styles={{ input: { textAlign: 'right' } }}
      error={invalid}
      value={typed ?? (Number.isNaN(line.qty) ? '' : String(line.qty))}
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => {
        const text = event.currentTarget.value;
        setTyped(text);
        // The form rejects a text that is not a quantity: it receives -3 as -3, and words as NaN.
        onChange(line, { qty: plainNumber(text) ?? Number.NaN });
      }}
      onBlur={() => {
        if (!Number.isNaN(line.qty)) setTyped(null);
      }}
    />
  );
}
