// What the program says over the page by itself: messages in the corner, and that it works.
import '@mantine/notifications/styles.css';
import { Notifications } from '@mantine/notifications';
import { Processing } from '#ui/Processing.tsx';
import classes from './SignedInShell.module.css';

export default function Messages() {
  return (
    <>
      <Notifications position="bottom-right" autoClose={4000} limit={3} className={classes['toasts'] ?? ''} />
      <Processing />
    </>
  );
}
