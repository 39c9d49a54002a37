// Messages about the state of one subject. The next message replaces the previous one, and it disappears when the state changes.
import { type NotificationData, notifications } from '@mantine/notifications';

const visible = new Map<string, string>();

/** Shows a message and hides the previous one about the same subject. */
export function replaceMessage(about: string, message: NotificationData): void {
  hideMessage(about);
  visible.set(about, notifications.show(message));
}

/** Hides the message about a subject, because it no longer applies. */
export function hideMessage(about: string): void {
  const id = visible.get(about);
  if (id !== undefined) notifications.hide(id);
  visible.delete(about);
}
