// One product: its form, items, pictures, documents, quotes and history, and splitting items off.
import {
  Alert,
  Anchor,
  Button,
  Checkbox,
  Group,
  Modal,
  Skeleton,
  Stack,
  Table,
  Tabs,
  Text,
  Title,
} from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { api, READ_ANEW } from '#platform/api/client.web.ts';
import { DocumentSelect } from '#core/catalog/documents/DocumentSelect.tsx';
import { ItemDocuments } from '#core/catalog/documents/documents.contract.ts';
import { ProductPicturesPanel } from '#core/catalog/pictures/gallery/ProductPicturesPanel.tsx';
import { HistoryPanel } from '#platform/history/HistoryPanel.tsx';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { STATUS_LABELS, type StatusId } from '#core/quoting/quotes/status.ts';
import { formatDate } from '#platform/shared/dates.ts';
import { formatAmount } from '#platform/shared/money.ts';
import { paths } from '#platform/shared/paths.ts';
import { hasRole } from '#platform/shared/roles.ts';
import type { Named } from '#platform/shared/wire.ts';
import { Chip } from '#platform/ui/Chip.tsx';
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx';
import { type Column, DataList } from '#platform/ui/DataList.tsx';
import { DialogButtons } from '#platform/ui/DialogButtons.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { useKeys } from '#platform/ui/keys.tsx';
import { pageShown, useListAddress } from '#platform/ui/list-address.web.ts';
import { PageTitle } from '#platform/ui/PageTitle.tsx';
import type { OutputOf } from '#platform/api/endpoint.ts';
import { ProductForm } from '#core/catalog/products/ProductForm.tsx';
import { ProductSelect } from '#core/catalog/products/ProductSelect.tsx';
import { STATUS_TONES } from '#core/catalog/products/product-words.ts';
import classes from './product-page.module.css';
import {
  CATALOG_WRITERS,
  type ProductItem,
  type ProductPageData,
  Products,
} from '#core/catalog/products/products.contract.ts';
import { countOf } from '#platform/shared/count-of.ts';

export default function ProductPage() {
  const { id } = useParams({ from: '/signed-in/admin/itemProdDbItems/$id' });
  return <OneProduct key={id} id={Number(id)} />;
}

function OneProduct({ id }: { id: number }) {
  const user = useSession();
  const navigate = useNavigate();
  const query = api(Products).GetProduct.query({ id });
  const result = useQuery({ ...query, ...READ_ANEW });
  const { data } = result;
  // For a merged product, the address changes to that of the remaining one.
  const leadsTo = data && data.product.id !== id ? data.product.id : null;
  const [cameFrom] = useState(() => new URLSearchParams(window.location.search).get('from'));
  useEffect(() => {
    if (leadsTo === null) return;
    void navigate({ to: paths.product(leadsTo), search: { from: data?.mergedFrom?.name ?? '' }, replace: true });
  }, [leadsTo, data, navigate]);
  const [saves, setSaves] = useState(0);
  const [merging, setMerging] = useState(false);
  const mayWrite = user !== null && hasRole(user, ...CATALOG_WRITERS);
  useKeys([{ key: 'm', label: 'Merge into another product', run: () => setMerging(true), disabled: !mayWrite }]);
  const title = data?.product.name ?? 'Product';
  const { status, ...product } = data?.product ?? { status: 'Draft' as const };

  return (
    <Stack p={{ base: 0, sm: 'md' }} gap="md">
      <Anchor component={Link} to={paths.products} size="sm" px={{ base: 'md', sm: 0 }} pt={{ base: 'sm', sm: 0 }}>
        ‹ Products
      </Anchor>
      <PageTitle>{title}</PageTitle>
      {data && leadsTo === null && 'id' in product && status !== 'Merged' ? (
        <>
          <Group justify="space-between" gap="xs" px={{ base: 'md', sm: 0 }}>
            <Group gap="sm">
              <Title order={1}>{title}</Title>
              <Chip tone={STATUS_TONES[status]}>{status}</Chip>
            </Group>
            {mayWrite ? (
              <Button variant="default" onClick={() => setMerging(true)}>
                Merge into another
              </Button>
            ) : null}
          </Group>
          {cameFrom ? (
            <Alert variant="light" mx={{ base: 'md', sm: 0 }}>
              {cameFrom} has been merged into this product.
            </Alert>
          ) : null}
          {data.replaces.length > 0 ? (
            <Text size="sm" px={{ base: 'md', sm: 0 }}>
              Replaces <Names products={data.replaces} />
            </Text>
          ) : null}
          <div className={classes['columns']}>
            {mayWrite ? (
              <section className={`card ${classes['part']}`} aria-label="Product">
                <ProductForm
                  key={saves}
                  product={{ ...product, status }}
                  replacedBy={data.replacedBy}
                  onSaved={(saved) => {
                    notifications.show({ message: `${saved.name} is saved.` });
                    setSaves((count) => count + 1);
                  }}
                />
              </section>
            ) : (
              <section className={`card ${classes['part']}`} aria-label="Product">
                <Text style={{ whiteSpace: 'pre-line' }}>{data.product.description || 'No text yet.'}</Text>
              </section>
            )}
            <Parts data={data} mayWrite={mayWrite} />
          </div>
          {merging ? <MergeInto product={data.product} onClose={() => setMerging(false)} /> : null}
        </>
      ) : result.error ? (
        <ErrorAlert error={result.error} title="This product could not be loaded" onRetry={result.refetch} />
      ) : (
        <Skeleton height={400} aria-label="Loading" />
      )}
    </Stack>
  );
}

function Names({ products }: { products: Named[] }) {
  return products.map(({ id, name }, index) => (
    <span key={id}>
      {index > 0 ? ', ' : ''}
      <Anchor component={Link} to={paths.product(id)}>
        {name}
      </Anchor>
    </span>
  ));
}

const TABS = ['items', 'pictures', 'documents', 'quotes', 'history'] as const;

function Parts({ data, mayWrite }: { data: ProductPageData; mayWrite: boolean }) {
  const list = useListAddress(null, { tab: 'items' }, { field: 'quoteDate', dir: 'desc' }, ['from']);
  const tab = TABS.find((candidate) => candidate === list.filters.tab) ?? 'items';
  const { id } = data.product;
  return (
    <section className="card" aria-label="What the product has">
      <Tabs value={tab} keepMounted={false} onChange={(next) => list.filter({ tab: next ?? 'items' })}>
        <Tabs.List>
          <Tabs.Tab value="items">Items ({data.itemCount.toLocaleString('en-US')})</Tabs.Tab>
          {mayWrite ? <Tabs.Tab value="pictures">Pictures</Tabs.Tab> : null}
          <Tabs.Tab value="documents">Documents ({data.documents.length.toLocaleString('en-US')})</Tabs.Tab>
          {mayWrite ? <Tabs.Tab value="quotes">Quotes ({data.quoteCount.toLocaleString('en-US')})</Tabs.Tab> : null}
          {mayWrite ? <Tabs.Tab value="history">History</Tabs.Tab> : null}
        </Tabs.List>
        <Tabs.Panel value="items">
          <Items data={data} mayWrite={mayWrite} />
        </Tabs.Panel>
        <Tabs.Panel value="pictures" p="md">
          <ProductPicturesPanel productId={id} />
        </Tabs.Panel>
        <Tabs.Panel value="documents" p="md">
          <Documents data={data} />
        </Tabs.Panel>
        <Tabs.Panel value="quotes">
          <Quotes productId={id} list={list} />
        </Tabs.Panel>
        <Tabs.Panel value="history" p="md">
          <HistoryPanel type="product" id={id} />
        </Tabs.Panel>
      </Tabs>
    </section>
  );
}

function Items({ data, mayWrite }: { data: ProductPageData; mayWrite: boolean }) {
  const navigate = useNavigate();
  const [ticked, setTicked] = useState<ReadonlySet<number>>(new Set());
  const [splitting, setSplitting] = useState(false);
  const chosen = data.items.filter(({ id }) => ticked.has(id));
  const split = useMutation({
    ...api(Products).SplitItem.mutation(),
    onSuccess: (created) => {
      notifications.show({ message: `${created.name} is now a separate product.` });
      void navigate({ to: paths.product(created.id) });
    },
  });
  const tick = (item: ProductItem) => (
    <Checkbox
      aria-label={`Select ${item.itemNumber}`}
      checked={ticked.has(item.id)}
      onChange={({ currentTarget: { checked } }) =>
        setTicked((now) => new Set(checked ? [...now, item.id] : [...now].filter((candidate) => candidate !== item.id)))
      }
    />
  );
  const columns: Column<ProductItem>[] = [
    ...(mayWrite ? [{ title: 'Select', render: tick }] : []),
    { title: 'Item #', render: (item) => <b className="tabular">{item.itemNumber}</b> },
    { title: 'Description', width: 300, render: (item) => <span title={item.description}>{item.description}</span> },
    { title: 'Mfr. number', width: 140, render: (item) => item.manufacturerNo },
    { title: 'Status', render: (item) => item.status },
    { title: 'Last sold', figure: true, render: (item) => formatDate(item.lastSold) },
  ];
  const all = chosen.length === data.itemCount;
  return (
    <>
      {mayWrite && data.items.length > 0 ? (
        <Group p="xs" px="md" justify="space-between">
          <Text size="sm" className="muted">
            Split off items that belong to another product. They become a new product.
          </Text>
          <Button
            size="compact-sm"
            variant="default"
            disabled={chosen.length === 0 || all}
            title={chosen.length === 0 ? 'Select items first' : all ? 'At least one item must stay' : undefined}
            onClick={() => setSplitting(true)}
          >
            {chosen.length === 0 ? 'Split off' : `Split off ${chosen.length}`}
          </Button>
        </Group>
      ) : null}
      <DataList
        label="Items"
        columns={columns}
        rows={data.items}
        rowKey={(item) => item.id}
        empty={
          <>
            No item yet.{' '}
            <Anchor component={Link} to={paths.itemMapping}>
              Map items
            </Anchor>
          </>
        }
        card={(item) => (
          <Group gap="sm" wrap="nowrap" align="start">
            {mayWrite ? tick(item) : null}
            <Text size="sm">
              <b className="tabular">{item.itemNumber}</b> {item.description}
            </Text>
          </Group>
        )}
      />
      {data.itemCount > data.items.length ? (
        <Text size="sm" className="muted" p="md">
          The first {data.items.length} of {data.itemCount.toLocaleString('en-US')} are shown.
        </Text>
      ) : null}
      {splitting ? (
        <ConfirmDialog
          title={`Split off ${countOf(chosen.length, 'item')}?`}
          action="Split off"
          busy={split.isPending}
          error={split.error}
          onConfirm={() =>
            split.mutate({
              productId: data.product.id,
              version: data.product.version,
              itemIds: chosen.map(({ id }) => id),
            })
          }
          onClose={() => setSplitting(false)}
        >
          {`A new product named ${chosen[0]?.description ?? ''} gets ${chosen.map(({ itemNumber }) => itemNumber).join(', ')}. Pictures and documents stay here.`}
        </ConfirmDialog>
      ) : null}
    </>
  );
}

function Documents({ data }: { data: ProductPageData }) {
  const [adding, setAdding] = useState<Named | null>(null);
  const link = useMutation({ ...api(ItemDocuments).saveItemXDoc.mutation(), onSuccess: () => setAdding(null) });
  const unlink = useMutation(api(ItemDocuments).deleteItemXDoc.mutation());
  const has = data.documents.filter(({ itemNumber }) => itemNumber === null).map(({ docId }) => docId);
  return (
    <Stack gap="sm">
      {data.documents.length === 0 ? <Text className="muted">No documents yet.</Text> : null}
      <Stack gap={4} component="ul" p={0} m={0} style={{ listStyle: 'none' }} aria-label="Documents">
        {data.documents.map((document) => (
          <Group component="li" key={document.linkId} justify="space-between" wrap="nowrap">
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              <Anchor
                renderRoot={(props) => (
                  <Link {...props} to={paths.itemDocuments} search={{ open: String(document.docId) }} />
                )}
              >
                {document.title}
              </Anchor>{' '}
              <span className="muted">
                {document.category}
                {document.itemNumber ? ` · of item ${document.itemNumber}` : ''}
              </span>
            </Text>
            <Button
              size="compact-xs"
              variant="subtle"
              color="gray"
              aria-label={`Remove ${document.title}`}
              loading={unlink.isPending && unlink.variables.id === document.linkId}
              onClick={() => unlink.mutate({ id: document.linkId })}
            >
              Remove
            </Button>
          </Group>
        ))}
      </Stack>
      <Group align="end" gap="xs">
        <DocumentSelect label="Add a document" flex={1} value={adding} exceptIds={has} onChange={setAdding} />
        <Button
          variant="default"
          disabled={!adding}
          loading={link.isPending}
          onClick={() => adding && link.mutate({ docId: adding.id, productIds: [data.product.id] })}
        >
          Link
        </Button>
      </Group>
      <ErrorAlert error={link.error ?? unlink.error} title="Something went wrong" />
    </Stack>
  );
}

type QuoteRow = OutputOf<typeof Products.GetProductQuotes>['records'][number];

function Quotes({ productId, list }: { productId: number; list: ReturnType<typeof useListAddress<{ tab: string }>> }) {
  const query = useQuery({
    ...api(Products).GetProductQuotes.query({ productId, page: list.page, pageSize: 20, sort: list.sort }),
    placeholderData: keepPreviousData,
  });
  const status = (row: QuoteRow) => STATUS_LABELS[row.statusId as StatusId] ?? row.statusId;
  const link = (row: QuoteRow) => (
    <Anchor component={Link} to={paths.internalBoard(row.id)} className="tabular">
      {row.number}
    </Anchor>
  );
  const quantities = (row: QuoteRow) =>
    row.quantities.map(({ qty, unit }) => `${qty.toLocaleString('en-US')} ${unit}`).join(', ') || '0';
  const columns: Column<QuoteRow>[] = [
    { title: 'Quote', render: link },
    { field: 'facilityName', title: 'Facility', width: 220, render: (row) => row.facilityName },
    { title: 'Status', render: status },
    { field: 'qty', title: 'Qty.', figure: true, render: quantities },
    { field: 'amount', title: 'Amount', figure: true, render: (row) => formatAmount(row.amount, row.currnIdx) },
    { field: 'quoteDate', title: 'Date', figure: true, render: (row) => formatDate(row.quoteDate) },
  ];
  return (
    <DataList
      label="Quotes"
      columns={columns}
      {...pageShown(query, list, 20)}
      rowKey={(row) => row.id}
      card={(row) => (
        <Text size="sm">
          {link(row)} {row.facilityName}
          <br />
          <span className="muted tabular">
            {status(row)} · {formatDate(row.quoteDate)} · {formatAmount(row.amount, row.currnIdx)}
          </span>
        </Text>
      )}
    />
  );
}

function MergeInto({ product, onClose }: { product: ProductPageData['product']; onClose: () => void }) {
  const navigate = useNavigate();
  const [into, setInto] = useState<Named | null>(null);
  const preview = useQuery({
    ...api(Products).GetMergePreview.query({ fromIds: [product.id], intoId: into?.id ?? 0 }),
    enabled: into !== null,
    ...READ_ANEW,
  });
  const merge = useMutation({
    ...api(Products).MergeProducts.mutation(),
    meta: { blocking: true },
    onSuccess: ({ product: stored }) => void navigate({ to: paths.product(stored.id) }),
  });
  const { data } = preview;
  const [from] = data?.from ?? [];
  return (
    <Modal opened onClose={onClose} title={`Merge ${product.name} into another product`}>
      <Stack>
        <ProductSelect
          label="Product to keep"
          data-autofocus
          value={into}
          exceptIds={[product.id]}
          onChange={setInto}
        />
        {data && from ? (
          <Table fz="sm">
            <Table.Tbody>
              {[
                ['Items that move', from.items],
                ['Documents that move', from.documents],
                ['Pictures that move', from.pictures],
                ...data.fills.map(({ field, value }) => [`${field}, empty there, becomes`, value] as const),
              ].map(([label, value]) => (
                <Table.Tr key={label}>
                  <Table.Td>{label}</Table.Td>
                  <Table.Td className="figure">{value}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        ) : null}
        <Text size="sm" className="muted">
          The old address leads to the remaining product. Quotes do not change.
        </Text>
        <ErrorAlert error={merge.error ?? preview.error} title="The products could not be merged" />
        <DialogButtons onCancel={onClose}>
          <Button
            disabled={!data}
            loading={merge.isPending}
            onClick={() => data && merge.mutate({ into: data.into, from: data.from })}
          >
            Merge
          </Button>
        </DialogButtons>
      </Stack>
    </Modal>
  );
}
