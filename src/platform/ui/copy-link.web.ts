// Copies a link at the press of a button, and says so. Where the browser refuses, the link is shown instead.
import { notifications } from '@mantine/notifications';

/** `place`: an address of this site. */
export async function copyLink(place: string): Promise<void> {
  const link = new URL(place, window.location.href).href;
  try {
    // Without an encrypted connection there is no clipboard.
    await navigator.clipboard.writeText(link);
    notifications.show({ message: 'The link is copied.' });
  } catch {
    notifications.show({ message: link, autoClose: false });
  }
}
