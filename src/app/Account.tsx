// The page of one's own account with the panels that other features add to it.
import { WaysPanel } from '#features/operations/notifications/WaysPanel.tsx';
import AccountPage from '#features/people/auth/screens/AccountPage.tsx';

export default function Account() {
  return <AccountPage panels={<WaysPanel />} />;
}
