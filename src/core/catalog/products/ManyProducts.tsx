// The actions on many selected products: type, status, a document, merging; and undo.
import { Autocomplete, Button, Select, Table, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, READ_ANEW } from '#platform/api/client.web.ts';
import { DocumentSelect } from '#core/catalog/documents/DocumentSelect.tsx';
import { ItemDocuments } from '#core/catalog/documents/documents.contract.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { paths } from '#platform/shared/paths.ts';
import type { Named } from '#platform/shared/wire.ts';
import { AskDialog } from '#platform/ui/AskDialog.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { TickBar } from '#platform/ui/TickBar.tsx';
import { ProductSelect } from './ProductSelect.tsx';
import { ChosenStatus } from './product-status.ts';
import { type ProductRow, Products } from './products.contract.ts';

/** A finished change in words, with its undo; the undo returns a message. */
export type Change = { message: string; undo: () => Promise<string> };

type Props = {
  chosen: ProductRow[];
  mayWrite: boolean;
  types: string[];
  undo: Change | null;
  undoing: { mutate: (change: Change) => void; isPending: boolean; error: Error | null };
  onChanged: (change: Change) => void;
  onClear: () => void;
};

type DialogKind = 'type' | 'status' | 'document' | 'merge';

export function ManyBar({ chosen, mayWrite, types, undo, undoing, onChanged, onClear }: Props) {
  const [openDialog, setOpenDialog] = useState<DialogKind | null>(null);
  const dialog = { chosen, onChanged, onClose: () => setOpenDialog(null) };
  if (chosen.length === 0 && !undo) return null;
  return (
    <section className="card" aria-label="Selected products">
      <TickBar
        message={chosen.length > 0 ? `${countOf(chosen.length, 'product')} selected` : undo?.message}
        isTicked={chosen.length > 0}
        onClear={onClear}
        onUndo={undo ? () => undoing.mutate(undo) : undefined}
        isUndoing={undoing.isPending}
      >
        {mayWrite ? (
          <>
            <Button size="compact-sm" variant="default" onClick={() => setOpenDialog('type')}>
              Type
            </Button>
            <Button size="compact-sm" variant="default" onClick={() => setOpenDialog('status')}>
              Status
            </Button>
          </>
        ) : null}
        <Button size="compact-sm" variant="default" onClick={() => setOpenDialog('document')}>
          Document
        </Button>
        {mayWrite ? (
          <Button
            size="compact-sm"
            variant="default"
            disabled={chosen.length < 2}
            title={chosen.length < 2 ? 'Select at least two products' : undefined}
            onClick={() => setOpenDialog('merge')}
          >
            Merge
          </Button>
        ) : null}
      </TickBar>
      <ErrorAlert error={undoing.error} title="The change could not be undone" />
      {openDialog === 'type' ? <TypeDialog {...dialog} types={types} /> : null}
      {openDialog === 'status' ? <StatusDialog {...dialog} /> : null}
      {openDialog === 'document' ? <LinkDialog {...dialog} /> : null}
      {openDialog === 'merge' ? <MergeDialog chosen={chosen} onClose={() => setOpenDialog(null)} /> : null}
    </section>
  );
}

type DialogProps = { chosen: ProductRow[]; onChanged: (change: Change) => void; onClose: () => void };

/** Restores products to their former state, and names the ones that another user has changed since. */
function restoring(before: Awaited<ReturnType<ReturnType<typeof api<typeof Products>>['saveItemStatus']>>['before']) {
  return async () => {
    const products = before.flatMap(({ status, ...was }) => (status === 'Merged' ? [] : [{ ...was, status }]));
    const { restored, kept } = await api(Products).RestoreProducts({ products });
    const names = kept.map(({ name }) => name).join(', ');
    return `${countOf(restored, 'product')} ${restored === 1 ? 'is' : 'are'} restored.${names ? ` Skipped because of later changes: ${names}.` : ''}`;
  };
}

function TypeDialog({ chosen, types, onChanged, onClose }: DialogProps & { types: string[] }) {
  const [productType, setType] = useState('');
  const save = useMutation({
    mutationFn: () => api(Products).saveItemProdType({ productIds: chosen.map(({ id }) => id), productType }),
    onSuccess: ({ changed, before }) => {
      onChanged({
        message: `${countOf(changed, 'product')} got the type ${productType || 'none'}.`,
        undo: restoring(before),
      });
      onClose();
    },
  });
  return (
    <AskDialog
      title={`Type of ${countOf(chosen.length, 'product')}`}
      action="Set type"
      busy={save.isPending}
      error={save.error}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <Autocomplete
        label="Type"
        description="Empty: no type"
        data-autofocus
        data={types}
        limit={20}
        maxLength={100}
        value={productType}
        onChange={setType}
      />
    </AskDialog>
  );
}

function StatusDialog({ chosen, onChanged, onClose }: DialogProps) {
  const [status, setStatus] = useState<ChosenStatus>('Active');
  const [replacement, setReplacement] = useState<Named | null>(null);
  const ids = chosen.map(({ id }) => id);
  const save = useMutation({
    mutationFn: () => api(Products).saveItemStatus({ productIds: ids, status, replacedById: replacement?.id ?? null }),
    onSuccess: ({ changed, before }) => {
      onChanged({
        message: `${countOf(changed, 'product')} ${changed === 1 ? 'is' : 'are'} ${status}.`,
        undo: restoring(before),
      });
      onClose();
    },
  });
  return (
    <AskDialog
      title={`Status of ${countOf(chosen.length, 'product')}`}
      action="Set status"
      busy={save.isPending}
      error={save.error}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <Select
        label="Status"
        data-autofocus
        allowDeselect={false}
        data={ChosenStatus.options}
        value={status}
        onChange={(next) => setStatus(ChosenStatus.options.find((option) => option === next) ?? status)}
      />
      {status === 'Discontinued' ? (
        <ProductSelect label="Replaced by" value={replacement} exceptIds={ids} onChange={setReplacement} />
      ) : null}
    </AskDialog>
  );
}

function LinkDialog({ chosen, onChanged, onClose }: DialogProps) {
  const [document, setDocument] = useState<Named | null>(null);
  const save = useMutation({
    mutationFn: () =>
      api(ItemDocuments).saveItemXDoc({ docId: document?.id ?? 0, productIds: chosen.map(({ id }) => id) }),
    onSuccess: ({ linkIds, already }) => {
      const there = already > 0 ? ` ${countOf(already, 'product')} already had it.` : '';
      onChanged({
        message: `${document?.name ?? ''} is linked to ${countOf(linkIds.length, 'product')}.${there}`,
        undo: async () => {
          if (linkIds.length === 0) return 'There was nothing to undo.';
          const { removed } = await api(ItemDocuments).RemoveItemXDocs({ ids: linkIds });
          return `${countOf(removed, 'link')} removed again.`;
        },
      });
      onClose();
    },
  });
  return (
    <AskDialog
      title={`A document for ${countOf(chosen.length, 'product')}`}
      action="Link"
      disabled={document === null}
      busy={save.isPending}
      error={save.error}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <DocumentSelect label="Document" data-autofocus value={document} onChange={setDocument} />
    </AskDialog>
  );
}

/** Shows what a merge moves before it happens. It proposes to keep the product with the most items. */
function MergeDialog({ chosen, onClose }: { chosen: ProductRow[]; onClose: () => void }) {
  const navigate = useNavigate();
  const most = chosen.reduce((best, row) => (row.items > best.items ? row : best));
  const [intoId, setInto] = useState(most.id);
  const fromIds = chosen.flatMap(({ id }) => (id === intoId ? [] : [id]));
  const preview = useQuery({
    ...api(Products).GetMergePreview.query({ fromIds, intoId }),
    ...READ_ANEW,
  });
  const merge = useMutation({
    ...api(Products).MergeProducts.mutation(),
    meta: { blocking: true },
    onSuccess: ({ product, items }) => {
      notifications.show({ message: `${product.name} has ${countOf(items, 'more item')}.` });
      void navigate({ to: paths.product(product.id) });
    },
  });
  const { data } = preview;
  return (
    <AskDialog
      title={`Merge ${countOf(chosen.length, 'product')}`}
      action="Merge"
      disabled={data === undefined}
      busy={merge.isPending}
      error={merge.error ?? preview.error}
      onSubmit={() => data && merge.mutate({ into: data.into, from: data.from })}
      onClose={onClose}
    >
      <Select
        label="Product to keep"
        allowDeselect={false}
        data={chosen.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={String(intoId)}
        onChange={(id) => setInto(Number(id))}
      />
      {data ? (
        <>
          <Table fz="sm">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Moves from</Table.Th>
                <Table.Th ta="right">Items</Table.Th>
                <Table.Th ta="right">Documents</Table.Th>
                <Table.Th ta="right">Pictures</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {data.from.map((row) => (
                <Table.Tr key={row.id}>
                  <Table.Td style={{ overflowWrap: 'anywhere' }}>{row.name}</Table.Td>
                  <Table.Td className="figure">{row.items}</Table.Td>
                  <Table.Td className="figure">{row.documents}</Table.Td>
                  <Table.Td className="figure">{row.pictures}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
          {data.fills.map(({ field, value }) => (
            <Text size="sm" key={field}>
              {field} is empty and becomes: {value}
            </Text>
          ))}
        </>
      ) : null}
      <Text size="sm" className="muted">
        The old addresses lead to the remaining product. Quotes do not change. To undo a merge, split the items off
        again.
      </Text>
    </AskDialog>
  );
}
