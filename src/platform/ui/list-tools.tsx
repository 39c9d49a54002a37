// A place beside the heading of each list for what the frame has for all lists. `ui` does not know what that is.
import { createContext, type ReactNode, use } from 'react';
import type { Address } from './address.web.ts';

export type ListToolsProps = {
  /** What has the tools, if it is no list: without columns. */
  of?: 'report';
  /** Counts what the list has for an address. A list without it shows no counts. */
  countOf?: ((address: Address) => Promise<{ total: number; more?: boolean | undefined }>) | undefined;
};

export const ListToolsOfFrame = createContext<(list: ListToolsProps) => ReactNode>(() => null);

export function ListTools(props: ListToolsProps) {
  return use(ListToolsOfFrame)(props);
}
