// The title of the browser tab: the screen, then the product.
import { appConfig } from './app-config.web.ts';

export function PageTitle({ children }: { children: string }) {
  return <title>{`${children} · ${appConfig.title}`}</title>;
}
