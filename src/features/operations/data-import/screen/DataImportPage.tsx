// Data import (specification section 2, /admin/initialImportProdDbData): files of every kind, their history, and products for items.
import { Stack, Text, Title } from '@mantine/core';
import { FillProductsPanel } from '#features/catalogue/products/FillProductsPanel.tsx';
import { PageTitle } from '#ui/PageTitle.tsx';
import { ImportInboxPanel } from '../inbox/ImportInboxPanel.tsx';
import { ImportHistory } from './ImportHistory.tsx';
import { ImportWizard } from './ImportWizard.tsx';
import { useImportAddress } from './import-address.web.ts';

export default function DataImportPage() {
  const { id, kind, open, list } = useImportAddress('imports');
  return (
    <Stack p={{ base: 0, sm: 'md' }} gap="md">
      <PageTitle>Data Import</PageTitle>
      <div>
        <Title order={1} px={{ base: 'md', sm: 0 }} pt={{ base: 'sm', sm: 0 }}>
          Data Import
        </Title>
        <Text size="sm" className="muted" px={{ base: 'md', sm: 0 }}>
          For an empty company: ZIP codes, territories, facilities, contacts, items, units, prices, contracts, contract
          prices, rosters, in this order.
        </Text>
      </div>
      <ImportWizard kind={kind} id={id} onOpen={open} />
      <ImportInboxPanel onOpen={open} />
      <ImportHistory list={list} onOpen={open} />
      <FillProductsPanel />
    </Stack>
  );
}
