// The columns of the list on the screen: those that its address hides, and all of them for the menu that chooses.
import { useEffect } from 'react';
import { useAddress } from './address.web.ts';

/** The parameter of an address that names hidden columns. */
export const HIDE = 'hide';
type Titled = { title: string };

/** The titles of the list on the screen; the first column cannot be hidden. */
export let columnsOnScreen: readonly string[] = [];

export const columnName = (title: string): string => title.toLowerCase().replace(/\W+/g, '');

/** The columns that the address does not hide. Only of a list that fills its screen; others, and cards, show all. */
export function useShownColumns<C extends Titled>(columns: C[], fillsScreen: boolean): C[] {
  const hidden = hiddenIn(useAddress()[HIDE]);
  const titles = JSON.stringify(columns.map(({ title }) => title));
  useEffect(() => {
    if (fillsScreen) columnsOnScreen = JSON.parse(titles) as string[];
  }, [fillsScreen, titles]);
  return fillsScreen ? columns.filter(({ title }, at) => at === 0 || !hidden.includes(columnName(title))) : columns;
}

export const hiddenIn = (parameter = ''): string[] => parameter.split(',').filter(Boolean);
