// The company's logo in the frame: the value in the page from the server, until an administrator changes it.
import { useSyncExternalStore } from 'react';
import { listeners } from '#platform/shared/listeners.ts';
import type { Logo } from '#platform/shared/logo.ts';
import { appConfig } from './app-config.web.ts';

let current: Logo | null = appConfig.logo;
const screens = listeners();

export function setCompanyLogo(logo: Logo | null): void {
  current = logo;
  screens.notify();
}

export function useCompanyLogo(): Logo | null {
  return useSyncExternalStore(screens.add, () => current);
}
