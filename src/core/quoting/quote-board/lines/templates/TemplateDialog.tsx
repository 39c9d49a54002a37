// Adds a template's lines to the quote: the user chooses one, changes quantities and leaves lines out.
import { Button, Checkbox, Group, Modal, NavLink, Skeleton, Stack, Table, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { ItemName, Thumbnail } from '#core/catalog/items/ItemMarks.tsx';
import { QuoteEdit, type QuoteTemplate } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { readQuantity } from '#platform/shared/quantity.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { useBoard } from '../../state/board.web.ts';
import { OwnTemplate } from './OwnTemplate.tsx';

export default function TemplateDialog({ onClose }: { onClose: () => void }) {
  const board = useBoard();
  const [keyword, setKeyword] = useState('');
  const [request] = useDebouncedValue(keyword.trim(), 250);
  const [chosen, setChosen] = useState<QuoteTemplate | null>(null);
  const templates = useQuery({
    ...api(QuoteEdit).GetQuoteTemplateForQuote.query({ quoteId: board.data.quote.id, keyword: request }),
    placeholderData: (previous) => previous,
  });
  return (
    <Modal opened onClose={onClose} title={chosen ? chosen.name : 'Add from a template'} size="lg">
      {chosen ? (
        <Stack gap="sm">
          {chosen.own ? <OwnTemplate template={chosen} onRenamed={setChosen} onEnded={() => setChosen(null)} /> : null}
          <TemplateLines template={chosen} onBack={() => setChosen(null)} onClose={onClose} />
        </Stack>
      ) : (
        <Stack gap="xs">
          <TextInput
            data-autofocus
            aria-label="Template name"
            placeholder="Full or partial name"
            value={keyword}
            onChange={(event) => setKeyword(event.currentTarget.value)}
          />
          <ErrorAlert error={templates.error} title="The templates could not be loaded" onRetry={templates.refetch} />
          {templates.data ? (
            templates.data.length === 0 ? (
              <Text className="muted" ta="center" py="md">
                No Record Found
              </Text>
            ) : (
              templates.data.map((template) => (
                <NavLink
                  key={template.id}
                  component="button"
                  label={template.name}
                  description={`${template.description}${template.description ? ' · ' : ''}${countOf(template.items.filter((item) => item.type === 'item').length, 'item')}`}
                  onClick={() => setChosen(template)}
                />
              ))
            )
          ) : templates.error ? null : (
            <Skeleton height={160} />
          )}
        </Stack>
      )}
    </Modal>
  );
}

function TemplateLines({
  template,
  onBack,
  onClose,
}: {
  template: QuoteTemplate;
  onBack: () => void;
  onClose: () => void;
}) {
  const { store } = useBoard();
  /** The quantities as text, as the user typed them. */
  const [quantities, setQuantities] = useState<Record<number, string>>({});
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set());
  const [saving, setSaving] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const usable = template.items.flatMap((item, index) =>
    item.type === 'item' && !item.gone ? [{ ...item, index }] : [],
  );
  const taken = usable
    .filter((item) => !left.has(item.index))
    .map((item) => ({ index: item.index, ...readQuantity(quantities[item.index] ?? String(item.qty)) }));
  const isWrong = taken.some(({ problem }) => problem !== '');
  const untouched = left.size === 0 && Object.keys(quantities).length === 0;
  const bare = withoutItems(template.items, left);
  const wanted = template.items.flatMap(({ type, itemId, gone }, index) => {
    if (gone || left.has(index) || bare.has(index)) return [];
    const qty = type === 'item' ? taken.find((item) => item.index === index)?.qty : null;
    return [{ position: index + 1, itemId, ...(qty ? { qty } : {}) }];
  });
  const addLines = async () => {
    setSaving(true);
    setError(null);
    try {
      await store.addTemplate({
        templateId: template.id,
        name: template.name,
        count: wanted.length,
        ...(untouched ? {} : { items: wanted }),
      });
      onClose();
    } catch (problem) {
      setError(problem as Error);
      setSaving(false);
    }
  };
  return (
    <Stack gap="sm">
      <Table fz="sm" verticalSpacing={4}>
        <Table.Tbody>
          {template.items.map((item, index) => (
            <Table.Tr key={`${item.itemNumber} ${index}`}>
              <Table.Td w={36}>
                {item.type === 'item' && !item.gone ? (
                  <Checkbox
                    size="xs"
                    aria-label={`Include ${item.itemNumber}`}
                    checked={!left.has(index)}
                    onChange={(event) => {
                      const next = new Set(left);
                      if (event.currentTarget.checked) next.delete(index);
                      else next.add(index);
                      setLeft(next);
                    }}
                  />
                ) : null}
              </Table.Td>
              <Table.Td w={1} px={0}>
                {item.imgThumbnailUrl ? <Thumbnail url={item.imgThumbnailUrl} size={32} /> : null}
              </Table.Td>
              <Table.Td fw={item.type === 'section' ? 600 : undefined}>
                {item.itemNumber} <ItemName item={item} />
                {item.gone ? (
                  <Text size="xs" c="red">
                    No longer available, so it will not be added.
                  </Text>
                ) : null}
              </Table.Td>
              <Table.Td w={100}>
                {item.type === 'item' && !item.gone ? (
                  <TextInput
                    size="xs"
                    inputMode="decimal"
                    autoComplete="off"
                    aria-label={`Quantity of ${item.itemNumber}`}
                    value={quantities[index] ?? String(item.qty)}
                    error={left.has(index) ? undefined : readQuantity(quantities[index] ?? String(item.qty)).problem}
                    onChange={(event) => setQuantities({ ...quantities, [index]: event.currentTarget.value })}
                  />
                ) : null}
              </Table.Td>
              <Table.Td w={50}>{item.unit}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <ErrorAlert error={error} title="The lines were not added" />
      <Group justify="space-between">
        <Button variant="subtle" onClick={onBack}>
          Back
        </Button>
        <Button
          data-autofocus
          loading={saving}
          disabled={taken.length === 0 || isWrong}
          onClick={() => void addLines()}
        >
          Add {countOf(taken.length, 'line')}
        </Button>
      </Group>
    </Stack>
  );
}

/** The places of sections whose items are all left out, including the notes in those sections. */
function withoutItems(items: QuoteTemplate['items'], left: ReadonlySet<number>): Set<number> {
  let section = -1;
  const places = items.map((item, index) => {
    if (item.type === 'section') section = index;
    return { index, section, isItem: item.type === 'item', gone: item.gone };
  });
  const empty = [...Map.groupBy(places, (place) => place.section)].flatMap(([at, group]) => {
    const usable = group.filter(({ isItem, gone }) => isItem && !gone);
    return at >= 0 && usable.length > 0 && usable.every(({ index }) => left.has(index)) ? group : [];
  });
  return new Set(empty.map(({ index }) => index));
}
