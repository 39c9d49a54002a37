// The tabs of the lists under GPO Contracts, each with its own address. Another list adds one entry.
import { Link } from '@tanstack/react-router';
import { paths } from '#platform/shared/paths.ts';
import classes from '#platform/ui/link-tabs.module.css';

/** Everybody with the GPO Contracts tab may open them. */
export const CONTRACT_LISTS: { label: string; to: string }[] = [
  { label: 'Contracts', to: paths.contracts },
  { label: 'Quotes at risk', to: paths.contractRisks },
  { label: 'Eligibility', to: paths.eligibility },
  { label: 'GPOs to choose', to: paths.gposToChoose },
];

export function ContractLists() {
  return (
    <nav className={classes['tabs']} aria-label="Lists of GPO Contracts">
      {CONTRACT_LISTS.map(({ label, to }) => (
        <Link key={to} to={to} activeOptions={{ exact: true, includeSearch: false }}>
          {label}
        </Link>
      ))}
    </nav>
  );
}
