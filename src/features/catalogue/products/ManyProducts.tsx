// What is done to many ticked products at once: type, status, a document, merging; and the way back.
import { Autocomplete, Button, Group, Modal, Select, Stack, Table, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { api } from '#api/client.web.ts';
import { DocumentSelect } from '#features/catalogue/documents/DocumentSelect.tsx';
import { ItemDocuments } from '#features/catalogue/documents/documents.contract.ts';
import { paths } from '#shared/paths.ts';
import type { Named } from '#shared/wire.ts';
import { ErrorAlert } from '#ui/ErrorAlert.tsx';
import { Form } from '#ui/Form.tsx';
import { ProductSelect } from './ProductSelect.tsx';
import { ChosenStatus } from './product-status.ts';
import { counted } from './product-words.ts';
import { type ProductRow, Products } from './products.contract.ts';

/** A change that was made, in words, and how it is taken back; the answer says what came of that. */
export type Change = { said: string; undo: () => Promise<string> };

type Props = {
  chosen: ProductRow[];
  mayWrite: boolean;
  types: string[];
  undo: Change | null;
  undoing: { mutate: (change: Change) => void; isPending: boolean; error: Error | null };
  onChanged: (change: Change) => void;
  onClear: () => void;
};

type Asked = 'type' | 'status' | 'document' | 'merge';

export function ManyBar({ chosen, mayWrite, types, undo, undoing, onChanged, onClear }: Props) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const dialog = { chosen, onChanged, onClose: () => setAsked(null) };
  if (chosen.length === 0 && !undo) return null;
  return (
    <section className="card" aria-label="Ticked products">
      <Group px="md" py="xs" gap="xs" justify="space-between">
        <Text size="sm" role="status">
          {chosen.length > 0 ? `${counted(chosen.length, 'product')} ticked` : undo?.said}
        </Text>
        <Group gap="xs">
          {chosen.length > 0 ? (
            <>
              {mayWrite ? (
                <>
                  <Button size="compact-sm" variant="default" onClick={() => setAsked('type')}>
                    Type
                  </Button>
                  <Button size="compact-sm" variant="default" onClick={() => setAsked('status')}>
                    Status
                  </Button>
                </>
              ) : null}
              <Button size="compact-sm" variant="default" onClick={() => setAsked('document')}>
                Document
              </Button>
              {mayWrite ? (
                <Button
                  size="compact-sm"
                  variant="default"
                  disabled={chosen.length < 2}
                  title={chosen.length < 2 ? 'Tick at least two products' : undefined}
                  onClick={() => setAsked('merge')}
                >
                  Merge
                </Button>
              ) : null}
              <Button size="compact-sm" variant="subtle" onClick={onClear}>
                Untick
              </Button>
            </>
          ) : undo ? (
            <Button
              size="compact-sm"
              variant="default"
              loading={undoing.isPending}
              onClick={() => undoing.mutate(undo)}
            >
              Undo
            </Button>
          ) : null}
        </Group>
      </Group>
      <ErrorAlert error={undoing.error} title="Not undone" />
      {asked === 'type' ? <TypeDialog {...dialog} types={types} /> : null}
      {asked === 'status' ? <StatusDialog {...dialog} /> : null}
      {asked === 'document' ? <LinkDialog {...dialog} /> : null}
      {asked === 'merge' ? <MergeDialog chosen={chosen} onClose={() => setAsked(null)} /> : null}
    </section>
  );
}

type DialogProps = { chosen: ProductRow[]; onChanged: (change: Change) => void; onClose: () => void };

/** Puts products back as they were, and says which ones somebody has changed since. */
function restoring(before: Awaited<ReturnType<ReturnType<typeof api<typeof Products>>['saveItemStatus']>>['before']) {
  return async () => {
    const products = before.flatMap(({ status, ...was }) => (status === 'Merged' ? [] : [{ ...was, status }]));
    const { restored, kept } = await api(Products).RestoreProducts({ products });
    const names = kept.map(({ name }) => name).join(', ');
    return `${counted(restored, 'product')} ${restored === 1 ? 'is' : 'are'} as before.${names ? ` Changed since, so left alone: ${names}.` : ''}`;
  };
}

function Asking(props: {
  title: string;
  action: string;
  ready: boolean;
  busy: boolean;
  error: Error | null;
  onSubmit: () => void;
  onClose: () => void;
  children: ReactNode;
}) {
  const { title, action, ready, busy, error, onSubmit, onClose, children } = props;
  return (
    <Modal opened onClose={onClose} title={title}>
      <Form onSubmit={() => ready && onSubmit()}>
        <Stack>
          {children}
          <ErrorAlert error={error} title="Not done" />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={busy} disabled={!ready}>
              {action}
            </Button>
          </Group>
        </Stack>
      </Form>
    </Modal>
  );
}

function TypeDialog({ chosen, types, onChanged, onClose }: DialogProps & { types: string[] }) {
  const [productType, setType] = useState('');
  const save = useMutation({
    mutationFn: () => api(Products).saveItemProdType({ productIds: chosen.map(({ id }) => id), productType }),
    onSuccess: ({ changed, before }) => {
      onChanged({
        said: `${counted(changed, 'product')} got the type ${productType || 'none'}.`,
        undo: restoring(before),
      });
      onClose();
    },
  });
  return (
    <Asking
      title={`Type of ${counted(chosen.length, 'product')}`}
      action="Set type"
      ready
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
    </Asking>
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
        said: `${counted(changed, 'product')} ${changed === 1 ? 'is' : 'are'} ${status}.`,
        undo: restoring(before),
      });
      onClose();
    },
  });
  return (
    <Asking
      title={`Status of ${counted(chosen.length, 'product')}`}
      action="Set status"
      ready
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
        onChange={(next) => setStatus(ChosenStatus.options.find((one) => one === next) ?? status)}
      />
      {status === 'Discontinued' ? (
        <ProductSelect label="Replaced by" value={replacement} exceptIds={ids} onChange={setReplacement} />
      ) : null}
    </Asking>
  );
}

function LinkDialog({ chosen, onChanged, onClose }: DialogProps) {
  const [document, setDocument] = useState<Named | null>(null);
  const save = useMutation({
    mutationFn: () =>
      api(ItemDocuments).saveItemXDoc({ docId: document?.id ?? 0, productIds: chosen.map(({ id }) => id) }),
    onSuccess: ({ linkIds, already }) => {
      const there = already > 0 ? ` ${counted(already, 'product')} had it already.` : '';
      onChanged({
        said: `${document?.name ?? ''} is linked to ${counted(linkIds.length, 'product')}.${there}`,
        undo: async () => {
          if (linkIds.length === 0) return 'There was nothing to undo.';
          const { removed } = await api(ItemDocuments).RemoveItemXDocs({ ids: linkIds });
          return `${counted(removed, 'link')} removed again.`;
        },
      });
      onClose();
    },
  });
  return (
    <Asking
      title={`A document for ${counted(chosen.length, 'product')}`}
      action="Link"
      ready={document !== null}
      busy={save.isPending}
      error={save.error}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <DocumentSelect label="Document" data-autofocus value={document} onChange={setDocument} />
    </Asking>
  );
}

/** Shows what merging moves before it does; the product that has most items is proposed to remain. */
function MergeDialog({ chosen, onClose }: { chosen: ProductRow[]; onClose: () => void }) {
  const navigate = useNavigate();
  const most = chosen.reduce((best, row) => (row.items > best.items ? row : best));
  const [intoId, setInto] = useState(most.id);
  const fromIds = chosen.flatMap(({ id }) => (id === intoId ? [] : [id]));
  const preview = useQuery({
    ...api(Products).GetMergePreview.query({ fromIds, intoId }),
    staleTime: 0,
    gcTime: 0,
  });
  const merge = useMutation({
    ...api(Products).MergeProducts.mutation(),
    meta: { blocking: true },
    onSuccess: ({ product, items }) => {
      notifications.show({ message: `${product.name} has ${counted(items, 'more item', 'more items')}.` });
      void navigate({ to: paths.product(product.id) });
    },
  });
  const { data } = preview;
  return (
    <Asking
      title={`Merge ${counted(chosen.length, 'product')}`}
      action="Merge"
      ready={data !== undefined}
      busy={merge.isPending}
      error={merge.error ?? preview.error}
      onSubmit={() => data && merge.mutate({ into: data.into, from: data.from })}
      onClose={onClose}
    >
      <Select
        label="The one that remains"
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
        The old addresses lead to the product that remains. Quotes look as before. To take a merge back, split the items
        off again.
      </Text>
    </Asking>
  );
}
