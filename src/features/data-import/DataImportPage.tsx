// Data import (specification section 2, /admin/initialImportProdDbData): files of every kind, their history, and products for items.
import { Stack, Text, Title } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { paths } from '#shared/paths.ts';
import { PageTitle } from '#ui/PageTitle.tsx';
import { FillProductsPanel } from './FillProductsPanel.tsx';
import { ImportHistory } from './ImportHistory.tsx';
import { ImportWizard } from './ImportWizard.tsx';

export default function DataImportPage() {
  const address: Record<string, string | undefined> = useSearch({ strict: false });
  const navigate = useNavigate();
  const numberOf = (text: string | undefined) => (/^[1-9]\d{0,8}$/.test(text ?? '') ? Number(text) : null);
  const [id, page] = [numberOf(address['import']), numberOf(address['page']) ?? 1];
  const go = (patch: { import?: number | null; page?: number }) => {
    const next = { import: id, page, ...patch };
    const search: Record<string, string> = next.import === null ? {} : { import: String(next.import) };
    if (next.page > 1) search['page'] = String(next.page);
    void navigate({ to: paths.dataImport, search, resetScroll: false });
  };
  return (
    <Stack p={{ base: 0, sm: 'md' }} gap="md">
      <PageTitle>Data Import</PageTitle>
      <div>
        <Title order={1} px={{ base: 'md', sm: 0 }} pt={{ base: 'sm', sm: 0 }}>
          Data Import
        </Title>
        <Text size="sm" className="muted" px={{ base: 'md', sm: 0 }}>
          For an empty company: ZIP codes, territories, facilities, contacts, items, units, prices, in this order.
        </Text>
      </div>
      <ImportWizard id={id} onOpen={(next) => go({ import: next })} />
      <ImportHistory page={page} onPage={(next) => go({ page: next })} onOpen={(next) => go({ import: next })} />
      <FillProductsPanel />
    </Stack>
  );
}
