// The tabs of the lists under GPO Contracts, each with its own address. Another list adds one entry.
import { Link } from '@tanstack/react-router';
import { paths } from '#shared/paths.ts';
import classes from './contract-lists.module.css';

const ROOMS: { label: string; to: string }[] = [
  { label: 'Contracts', to: paths.contracts },
  { label: 'Quotes at risk', to: paths.contractRisks },
  { label: 'Eligibility', to: paths.eligibility },
  { label: 'GPOs to choose', to: paths.gposToChoose },
];

export function ContractLists() {
  return (
    <nav className={classes['lists']} aria-label="Lists of GPO Contracts">
      {ROOMS.map(({ label, to }) => (
        <Link key={to} to={to} activeOptions={{ exact: true, includeSearch: false }}>
          {label}
        </Link>
      ))}
    </nav>
  );
}
