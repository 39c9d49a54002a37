// The title of the browser tab: the number of unread notifications, the screen, then the product.
import { appConfig } from './app-config.web.ts';
import { useTabCount } from './tab-count.web.ts';

export function PageTitle({ children }: { children: string }) {
  const count = useTabCount();
  return <title>{`${count ? `(${count}) ` : ''}${children} · ${appConfig.title}`}</title>;
}
