// The company's logo in the frame: the server's value in the page, until an administrator changes it.
import { useSyncExternalStore } from 'react';
import type { Logo } from '#shared/logo.ts';
import { appConfig } from './app-config.web.ts';

let current: Logo | null = appConfig.logo;
const listeners = new Set<() => void>();

export function setCompanyLogo(logo: Logo | null): void {
  current = logo;
  for (const listener of listeners) listener();
}

export function useCompanyLogo(): Logo | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}
