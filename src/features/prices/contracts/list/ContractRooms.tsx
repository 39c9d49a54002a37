// The lists under GPO Contracts beside each other, each with an address of its own; another one is one more entry.
import { Link } from '@tanstack/react-router';
import { paths } from '#shared/paths.ts';
import classes from './contract-rooms.module.css';

const ROOMS: { label: string; to: string }[] = [
  { label: 'Contracts', to: paths.contracts },
  { label: 'Quotes at risk', to: paths.contractRisks },
  { label: 'Eligibility', to: paths.eligibility },
];

export function ContractRooms() {
  return (
    <nav className={classes['rooms']} aria-label="Lists of GPO Contracts">
      {ROOMS.map(({ label, to }) => (
        <Link key={to} to={to} activeOptions={{ exact: true, includeSearch: false }}>
          {label}
        </Link>
      ))}
    </nav>
  );
}
