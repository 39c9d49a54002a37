// Chooses a contract by part of its number or title.
import { api } from '#platform/api/client.web.ts';
import { RecordSelect, type RecordSelectProps } from '#platform/ui/RecordSelect.tsx';
import { Contract } from '../contracts.contract.ts';

export function ContractSelect(props: RecordSelectProps) {
  return (
    <RecordSelect
      placeholder="Number or title"
      {...props}
      search={(keyword) => api(Contract).Search.query({ keyword, page: 1, pageSize: 20 })}
      choicesOf={({ records }) => records.map(({ id, number, title }) => ({ id, name: number, more: title }))}
    />
  );
}
