// Messages about the state of one thing: the next one takes the place of the one before, and it goes away when the state is another.
import { type NotificationData, notifications } from '@mantine/notifications';

const visible = new Map<string, string>();

/** Shows a message in the place of the one before about the same thing. */
export function replaceMessage(about: string, message: NotificationData): void {
  hideMessage(about);
  visible.set(about, notifications.show(message));
}

/** Takes the message about a thing away, because it no longer holds. */
export function hideMessage(about: string): void {
  const id = visible.get(about);
  if (id !== undefined) notifications.hide(id);
  visible.delete(about);
}
