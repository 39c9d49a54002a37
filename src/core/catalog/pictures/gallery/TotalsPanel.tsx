// The report of totals: pictures by stage, the roles they are hidden from, and the products that need a picture most.
import { Alert, Anchor, Button, Group, Skeleton, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api } from '#platform/api/client.web.ts';
import type { OutputOf } from '#platform/api/endpoint.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { formatAmount } from '#platform/shared/money.ts';
import { paths } from '#platform/shared/paths.ts';
import { type Column, DataList } from '#platform/ui/DataList.tsx';
import { ListPage } from '#platform/ui/ListPage.tsx';
import { saveFile } from '#platform/ui/save-file.web.ts';
import { ItemImageGallery, type LackingProduct } from './gallery.contract.ts';
import { STAGE_LABELS, VIEWER_LABELS } from './gallery-words.ts';
import classes from './gallery.module.css';

type Report = OutputOf<typeof ItemImageGallery.GetTotalImageRpt>;
type Props = { classId: number | null; classField: ReactNode; view: ReactNode };

export function TotalsPanel({ classId, classField, view }: Props) {
  const report = useQuery(api(ItemImageGallery).GetTotalImageRpt.query({ classId }));
  const exported = useMutation({ ...api(ItemImageGallery).ExportTotalImageRpt.mutation(), onSuccess: saveFile });
  const { data } = report;
  return (
    <ListPage
      title="Item Images"
      hint="Which pictures exist, which are hidden, and which missing ones matter most."
      noun={['product without a picture', 'products without a picture']}
      total={data?.withoutPicture}
      exported={{ ...exported, mutate: () => exported.mutate({ classId }) }}
      actions={view}
      filters={classField}
    >
      {data ? (
        <Figures report={data} classId={classId} />
      ) : report.error ? (
        <Alert color="red" title="The report could not be loaded" m="md">
          <Text size="sm">{report.error.message}</Text>
          <Button mt="xs" variant="default" onClick={() => void report.refetch()}>
            Try again
          </Button>
        </Alert>
      ) : (
        <Skeleton height={180} m="md" aria-label="Loading" />
      )}
      {data ? (
        <section aria-label="Products without a picture">
          <Title order={2} size="h5" px="md" pt="sm">
            Products without a picture
          </Title>
          <Text size="sm" className="muted" px="md" pb="xs">
            Products worth most on open quotes and on quotes won in the last twelve months come first
            {data.withoutPicture > data.lacking.length ? `; the first ${data.lacking.length}, all in the export` : ''}.
          </Text>
          <DataList
            label="Products without a picture"
            columns={COLUMNS}
            rows={data.lacking}
            rowKey={({ id }) => id}
            empty="Every product has a picture."
            card={(row) => (
              <>
                <ProductLink row={row} />
                <Text size="sm" className="muted tabular">
                  {[
                    row.className,
                    `${countOf(row.openQuotes, 'open quote')} ${worthOf(row.openValue)}`,
                    `sold ${worthOf(row.soldValue) || 'nothing'}`,
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </Text>
              </>
            )}
          />
        </section>
      ) : null}
    </ListPage>
  );
}

const COLUMNS: Column<LackingProduct>[] = [
  { title: 'Product', width: 360, render: (row) => <ProductLink row={row} /> },
  { title: 'Class', width: 180, render: (row) => row.className },
  { title: 'Items', figure: true, render: (row) => row.items.toLocaleString('en-US') },
  { title: 'Open quotes', figure: true, render: (row) => row.openQuotes.toLocaleString('en-US') },
  { title: 'On open quotes', figure: true, render: (row) => worthOf(row.openValue) },
  { title: 'Sold in 12 months', figure: true, render: (row) => worthOf(row.soldValue) },
];

function ProductLink({ row: { id, name } }: { row: LackingProduct }) {
  return (
    <Anchor
      renderRoot={(props) => <Link {...props} to={paths.product(id)} search={{ tab: 'pictures' }} />}
      fw={600}
      title={name}
    >
      {name}
    </Anchor>
  );
}

function worthOf(worth: LackingProduct['openValue']): string {
  return worth.map(({ currnIdx, amount }) => formatAmount(amount, currnIdx)).join(' + ');
}

/** Figures that link to the pictures they count. */
function Figures({ report, classId }: { report: Report; classId: number | null }) {
  const { stages, products, withoutPicture, hidden, onlyHere } = report;
  const row = (label: string, count: number, link: ReactNode = <Text size="sm">{label}</Text>) => (
    <Group component="li" key={label} justify="space-between" wrap="nowrap" gap="md">
      {link}
      <b className="tabular">{count.toLocaleString('en-US')}</b>
    </Group>
  );
  const link = (label: string, to: string, search: Record<string, string>) => (
    <Anchor size="sm" renderRoot={(props) => <Link {...props} to={to} search={{ page: '1', ...search }} />}>
      {label}
    </Anchor>
  );
  const inGallery = (label: string, count: number, filter: Record<string, string>) =>
    row(label, count, link(label, paths.itemImages, { ...(classId ? { class: String(classId) } : {}), ...filter }));
  const group = (label: string, rows: ReactNode) => (
    <section aria-label={label}>
      <Text size="sm" fw={600} className="muted">
        {label}
      </Text>
      {typeof rows === 'string' ? (
        <Text size="sm">{rows}</Text>
      ) : (
        <ul style={{ listStyle: 'none', margin: 0, padding: 0 }}>{rows}</ul>
      )}
    </section>
  );
  return (
    <div className={classes['figures']} style={{ borderBottom: '1px solid var(--app-line)' }}>
      {group(
        'Pictures by stage',
        (['waiting', 'upload', 'file', 'filed', 'removed', 'refused'] as const).map((stage) =>
          // A picture without a product appears only in the inbox.
          stage === 'filed'
            ? inGallery(STAGE_LABELS[stage], stages[stage], { stage })
            : row(STAGE_LABELS[stage], stages[stage], link(STAGE_LABELS[stage], paths.imageInbox, { stage })),
        ),
      )}
      {group('Products', [
        inGallery('With a picture', products - withoutPicture, { has: 'yes' }),
        inGallery('Without a picture', withoutPicture, { has: 'no' }),
      ])}
      {group(
        'Hidden from',
        hidden.length > 0
          ? hidden.map(({ role, pictures }) => inGallery(VIEWER_LABELS[role], pictures, { hidden: role }))
          : 'No one: every picture is visible to everyone.',
      )}
      {onlyHere === null
        ? null
        : group('Cloud', [row('Only here', onlyHere, link('Only here', paths.mediaLibrary, { where: 'here' }))])}
    </div>
  );
}
