// The Data Import page (specification section 2, /admin/initialImportProdDbData): files of every kind, their history, and products for items.
import { FillProductsPanel } from '#core/catalog/products/FillProductsPanel.tsx';
import { ImportInboxPanel } from '#platform/data-import/inbox/ImportInboxPanel.tsx';
import { ImportHistory } from '#platform/data-import/screen/ImportHistory.tsx';
import { ImportPage } from '#platform/data-import/screen/ImportPage.tsx';
import { ImportWizard } from '#platform/data-import/screen/ImportWizard.tsx';
import { useImportAddress } from '#platform/data-import/screen/import-address.web.ts';

export default function DataImportPage() {
  const { id, kind, open, list } = useImportAddress('imports');
  return (
    <ImportPage
      title="Data Import"
      hint="To set up a new company, import in this order: ZIP codes, territories, facilities, contacts, items, units, prices, contracts, contract prices, rosters."
    >
      <ImportWizard kind={kind} id={id} onOpen={open} />
      <ImportInboxPanel onOpen={open} />
      <ImportHistory list={list} onOpen={open} />
      <FillProductsPanel />
    </ImportPage>
  );
}
