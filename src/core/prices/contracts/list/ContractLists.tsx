// The tabs of the lists under GPO Contracts, each with its own address.
import { Link } from '@tanstack/react-router';
import { openEntries } from '#platform/addons/addon.web.ts';
import { paths } from '#platform/shared/paths.ts';
import classes from '#platform/ui/link-tabs.module.css';
import { type ContractList, contractLists } from './doors.web.ts';

/** All users with the GPO Contracts tab may open them. */
export const contractListsNow = (): ContractList[] => [
  { label: 'Contracts', to: paths.contracts },
  ...openEntries(contractLists),
  { label: 'GPOs to choose', to: paths.gposToChoose },
];

export function ContractLists() {
  return (
    <nav className={classes['tabs']} aria-label="Lists of GPO Contracts">
      {contractListsNow().map(({ label, to }) => (
        <Link key={to} to={to} activeOptions={{ exact: true, includeSearch: false }}>
          {label}
        </Link>
      ))}
    </nav>
  );
}
