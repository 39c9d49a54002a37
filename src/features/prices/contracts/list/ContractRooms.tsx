// The lists under GPO Contracts beside each other, each with an address of its own; another one is one more entry.
import { Link, useLocation } from '@tanstack/react-router';
import { paths } from '#shared/paths.ts';
import classes from './contract-rooms.module.css';

const ROOMS: { label: string; to: string }[] = [{ label: 'Contracts', to: paths.contracts }];

/** Nothing while there is one list only. */
export function ContractRooms() {
  const { pathname } = useLocation();
  if (ROOMS.length < 2) return null;
  return (
    <nav className={classes['rooms']} aria-label="Lists of GPO Contracts">
      {ROOMS.map(({ label, to }) => (
        <Link key={to} to={to} aria-current={pathname === to ? 'page' : undefined}>
          {label}
        </Link>
      ))}
    </nav>
  );
}
