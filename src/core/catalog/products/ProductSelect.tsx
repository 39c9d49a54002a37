// Chooses a product by part of its name, brand or number.
import { api } from '#platform/api/client.web.ts';
import { RecordSelect, type RecordSelectProps } from '#platform/ui/RecordSelect.tsx';
import { Products } from './products.contract.ts';

export function ProductSelect(props: RecordSelectProps) {
  return (
    <RecordSelect
      placeholder="Part of the name, brand or number"
      {...props}
      search={(keyword) => api(Products).searchProdDbItems.query({ keyword, page: 1, pageSize: 20 })}
      choicesOf={({ records }) => records}
    />
  );
}
