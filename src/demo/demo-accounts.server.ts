// The accounts of the demo company (design 1): one for each role.
import type { Role } from '#platform/shared/roles.ts';

export type DemoAccount = { key: string; userName: string; fullName: string; role: Role; what: string };

const account = (key: string, fullName: string, role: Role, what: string): DemoAccount => ({
  key,
  userName: `${key}@example.com`,
  fullName,
  role,
  what,
});

export const demoAccounts: readonly DemoAccount[] = [
  account('admin', 'Demo Administrator', 'systemadmin', 'everything'),
  account('salesadmin', 'Demo Sales Administrator', 'salesadmin', 'approves without limit'),
  account('rep', 'Demo Sales Rep', 'salesrep', 'own quotes'),
  account('support', 'Demo Sales Support', 'salessupport', 'the quotes of the demo sales rep'),
  account('cs', 'Demo Customer Service', 'csrep', 'processes, prices and sends quotes'),
  account('inside', 'Demo Inside Rep', 'insiderep', 'processes, prices and sends quotes'),
  account('manager', 'Demo Quote Manager', 'salesQuoteManager', "approves in the sales rep's region"),
  account('contracts', 'Demo Contract Department', 'contractdept', 'reads all quotes, approves contract prices'),
];
