// Links from a part of a contract to the matching import, with the kind and the contract filled in.
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { paths } from '#platform/shared/paths.ts';
import type { ContractDetail } from './contract-page.contract.ts';

/** Shown only to users who edit contracts. */
export function ImportLink({ data, kind }: { data: ContractDetail; kind: 'contract-prices' | 'rosters' | 'letters' }) {
  if (!data.allowedActions.includes('Edit')) return null;
  const search = { kind, contract: data.contract.number };
  return (
    <Button
      className="no-print"
      variant="default"
      renderRoot={(props) => <Link {...props} to={paths.contractImport} search={search} />}
    >
      Import from a file
    </Button>
  );
}
