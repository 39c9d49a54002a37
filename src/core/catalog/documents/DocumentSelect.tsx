// Chooses a document by part of its title.
import { api } from '#platform/api/client.web.ts';
import { RecordSelect, type RecordSelectProps } from '#platform/ui/RecordSelect.tsx';
import { ItemDocuments } from './documents.contract.ts';

export function DocumentSelect(props: RecordSelectProps) {
  return (
    <RecordSelect
      placeholder="Part of the title"
      {...props}
      search={(keyword) => api(ItemDocuments).getItmDocs.query({ keyword, page: 1, pageSize: 20 })}
      choicesOf={({ records }) => records.map(({ id, title }) => ({ id, name: title }))}
    />
  );
}
