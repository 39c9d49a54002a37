// Copies a link when a button is pressed, and confirms it. If the browser refuses, the link is shown instead.
import { notifications } from '@mantine/notifications';

/** `place` is an address of this site. */
export async function copyLink(place: string): Promise<void> {
  const link = new URL(place, window.location.href).href;
  try {
    // Browsers offer no clipboard without an encrypted connection.
    await navigator.clipboard.writeText(link);
    notifications.show({ message: 'The link is copied.' });
  } catch {
    notifications.show({ message: link, autoClose: false });
  }
}
