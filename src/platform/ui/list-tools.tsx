// A slot beside the heading of each list for tools that the frame adds to all lists. `ui` does not know these tools.
import { createContext, type ReactNode, use } from 'react';
import type { Address } from './address.web.ts';

export type ListToolsProps = {
  /** The kind of screen, if it is not a list. It has no columns then. */
  of?: 'report';
  /** Counts the rows of the list for an address. A list without it shows no counts. */
  countOf?: ((address: Address) => Promise<{ total: number; more?: boolean | undefined }>) | undefined;
};

export const ListToolsOfFrame = createContext<(list: ListToolsProps) => ReactNode>(() => null);

export function ListTools(props: ListToolsProps) {
  return use(ListToolsOfFrame)(props);
}
