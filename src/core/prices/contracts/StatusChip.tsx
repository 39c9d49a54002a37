// Shows the status of a contract as a chip.
import { Chip } from '#platform/ui/Chip.tsx';
import type { Tone } from '#platform/ui/tones.ts';
import type { ContractStatus } from './contract-status.ts';

const TONES: Record<ContractStatus, Tone> = {
  Draft: 'violet',
  Pending: 'blue',
  Active: 'green',
  Expiring: 'orange',
  Expired: 'red',
  Superseded: 'violet',
  Terminated: 'red',
};

export function ContractStatusChip({ status }: { status: ContractStatus }) {
  return <Chip tone={TONES[status]}>{status}</Chip>;
}
