// The page of the user's own account with the panels that other features add to it.
import { WaysPanel } from '#platform/notifications/WaysPanel.tsx';
import AccountPage from '#platform/auth/screens/AccountPage.tsx';

export default function Account() {
  return <AccountPage panels={<WaysPanel />} />;
}
