// One item opened from the search: pictures, each price and why it is used or not, promotions, documents, and 'Add to quote'.
import { Alert, Badge, Button, Group, Select, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconAlertTriangle, IconCheck, IconInfoCircle, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { ItemDocuments } from '#core/catalog/items/ItemDocuments.tsx';
import { ItemName, SellingRank } from '#core/catalog/items/ItemMarks.tsx';
import { ItemPictures } from '#core/catalog/items/ItemPictures.tsx';
import { type ItemPrices, ItemSearch } from '#core/catalog/items/items.contract.ts';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { formatDate } from '#platform/shared/dates.ts';
import { formatPrice, pricesAligned } from '#platform/shared/money.ts';
import { hasRole, QUOTING_ROLES } from '#platform/shared/roles.ts';
import { readQuantity } from '#platform/shared/quantity.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { AddToQuoteDialog } from './AddToQuoteDialog.tsx';
import classes from './item-search.module.css';

type Props = { itemId: number; facilityId: number | null };

export default function ItemDetailPanel({ itemId, facilityId }: Props) {
  const user = useSession();
  const [qty, setQty] = useState('1');
  const [unit, setUnit] = useState<string | null>(null);
  const [adding, setAdding] = useState(false);
  const { qty: quantity, problem: qtyProblem } = readQuantity(qty);
  const [request] = useDebouncedValue(quantity ?? 1, 300);
  const query = useQuery({
    ...api(ItemSearch).SearchItemPrices.query({ itemId, facilityId, qty: request, ...(unit ? { unit } : {}) }),
    placeholderData: (before) => before,
  });
  const { data } = query;
  if (!data) {
    return query.error ? (
      <ErrorAlert error={query.error} title="The item could not be loaded">
        <Button size="xs" variant="default" mt="xs" onClick={() => void query.refetch()}>
          Try again
        </Button>
      </ErrorAlert>
    ) : (
      <Stack aria-busy>
        <Skeleton height={28} width="60%" />
        <Skeleton height={180} />
        <Skeleton height={120} />
      </Stack>
    );
  }
  const { item, resolved, promotions, documents } = data;
  const mayQuote = user !== null && hasRole(user, ...QUOTING_ROLES) && item.status === 'Active';
  return (
    <Stack gap="md">
      <ErrorAlert error={query.error} title="The prices could not be reloaded" onRetry={query.refetch} />
      <div className={classes['top']}>
        <ItemPictures images={item.images} name={item.description} />
        <div className={classes['words']}>
          <Group gap="xs">
            <Title order={2} className="tabular">
              {item.itemNumber}
            </Title>
            <SellingRank item={item} />
            {item.status === 'Active' ? null : (
              <Badge color="red" variant="light" radius="sm" tt="none">
                {item.status}
              </Badge>
            )}
          </Group>
          <Text>
            <ItemName item={item} />
          </Text>
          {[item.brand, item.className].filter(Boolean).length > 0 ? (
            <Text size="sm" className="muted">
              {[item.brand, item.className].filter(Boolean).join(' · ')}
            </Text>
          ) : null}
          {item.replacedBy ? <Text size="sm">Replaced by {item.replacedBy}</Text> : null}
        </div>
      </div>

      <Group align="flex-end" gap="xs">
        <TextInput
          label="Qty."
          w={90}
          inputMode="decimal"
          autoComplete="off"
          value={qty}
          error={qtyProblem}
          onChange={(event) => setQty(event.currentTarget.value)}
        />
        <Select
          label="Unit"
          w={170}
          allowDeselect={false}
          value={item.unit}
          data={item.units.map(({ unit: name, factor }) => ({
            value: name,
            label: factor === 1 ? name : `${name} of ${factor} ${item.units[0]?.unit ?? ''}`,
          }))}
          onChange={setUnit}
        />
        <div style={{ flex: 1, minWidth: 120 }}>
          <Text size="xs" className="muted">
            {facilityId ? 'Price for the facility' : 'List price'}
          </Text>
          <Text
            size="xl"
            fw={600}
            className="tabular"
            style={{ opacity: query.isPlaceholderData ? 0.6 : 1 }}
            aria-live="polite"
          >
            {resolved?.systemPrice === null || !resolved
              ? 'No price'
              : `${formatPrice(resolved.systemPrice, item.currnIdx)} / ${item.unit}`}
          </Text>
        </div>
        {mayQuote ? (
          <Button leftSection={<IconPlus size={16} />} onClick={() => setAdding(true)}>
            Add to quote…
          </Button>
        ) : null}
      </Group>
      {resolved?.problem ? (
        <Alert color="orange" variant="light" p="xs" icon={<IconAlertTriangle size={18} />}>
          {resolved.problem}
        </Alert>
      ) : null}
      {resolved?.contractAboveAccount ? (
        <Alert color="orange" variant="light" p="xs" icon={<IconAlertTriangle size={18} />}>
          The contract price is higher than the account price and is used anyway.
        </Alert>
      ) : null}
      {promotions.map((promotion) => (
        <Alert key={promotion.id} color="blue" variant="light" p="xs" icon={<IconInfoCircle size={18} />}>
          {promotion.message}
        </Alert>
      ))}
      <Ladder data={data} />
      <ItemDocuments documents={documents} />
      <About item={item} />
      {adding ? (
        <AddToQuoteDialog item={item} qty={quantity ?? 1} facilityId={facilityId} onClose={() => setAdding(false)} />
      ) : null}
    </Stack>
  );
}

function Ladder({ data: { prices, item } }: { data: ItemPrices }) {
  if (prices.length === 0) return null;
  const inPrice = pricesAligned(prices);
  const inAmount = pricesAligned(prices.map(({ amount, price }) => ({ price: amount, agreed: price })));
  return (
    <section aria-label="Prices">
      <Title order={3} mb={4}>
        Prices
      </Title>
      <div style={{ overflowX: 'auto' }}>
        <table className={`list ${classes['ladder']}`}>
          <thead>
            <tr>
              <th>Source</th>
              <th>Unit</th>
              <th className="figure">Price</th>
            </tr>
          </thead>
          <tbody>
            {prices.map((row, index) => (
              <tr key={`${row.ref} ${row.unit} ${row.minQty} ${index}`} data-used={row.used || undefined}>
                <td>
                  <Text size="sm" fw={row.used ? 600 : 400}>
                    {row.used ? <IconCheck size={14} style={{ verticalAlign: '-2px' }} aria-hidden /> : null} {row.ref}
                  </Text>
                  <Text size="xs" className="muted">
                    {row.why}
                    {row.to ? ` · to ${formatDate(row.to)}` : ''}
                  </Text>
                </td>
                <td style={{ whiteSpace: 'nowrap' }}>
                  {row.unit}
                  {row.minQty > 1 ? <span className="muted"> from {row.minQty}</span> : null}
                </td>
                <td className="figure">
                  {inPrice(row.price, row.currnIdx)}
                  {row.unit === item.unit || row.amount === null ? null : (
                    <Text size="xs" className="muted">
                      = {inAmount(row.amount, row.currnIdx, row.price)} / {item.unit}
                    </Text>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function About({ item }: { item: ItemPrices['item'] }) {
  if (!item.lastSold && !item.longDescription) return null;
  return (
    <section aria-label="About">
      <Title order={3} mb={4}>
        About
      </Title>
      {item.longDescription ? (
        <Text size="sm" mb="xs" style={{ whiteSpace: 'pre-line' }}>
          {item.longDescription}
        </Text>
      ) : null}
      {item.lastSold ? (
        <Text size="sm" className="muted">
          Last sold {formatDate(item.lastSold)}
        </Text>
      ) : null}
    </section>
  );
}
