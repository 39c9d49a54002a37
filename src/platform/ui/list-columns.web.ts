// The columns of the list on the screen: the visible ones, and all of them for the menu that hides and shows them.
import { useEffect } from 'react';
import { useAddress } from './address.web.ts';

/** The parameter of an address that lists hidden columns. */
export const HIDE = 'hide';
type Titled = { title: string };

/** The titles of the list on the screen; the first column cannot be hidden. */
export let columnsOnScreen: readonly string[] = [];

export const columnName = (title: string): string => title.toLowerCase().replace(/\W+/g, '');

/** Returns the columns that the address does not hide. Applies only to a list that fills its screen; other lists, and cards, show all columns. */
export function useShownColumns<C extends Titled>(columns: C[], fillsScreen: boolean): C[] {
  const hidden = hiddenIn(useAddress()[HIDE]);
  const titles = JSON.stringify(columns.map(({ title }) => title));
  useEffect(() => {
    if (fillsScreen) columnsOnScreen = JSON.parse(titles) as string[];
  }, [fillsScreen, titles]);
  return fillsScreen ? columns.filter(({ title }, at) => at === 0 || !hidden.includes(columnName(title))) : columns;
}

export const hiddenIn = (parameter = ''): string[] => parameter.split(',').filter(Boolean);
