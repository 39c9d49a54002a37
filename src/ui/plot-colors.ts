// The colors of plots. A file of its own, so that only the screens with plots load it.

/**
 * By number: each stands out from the card (3:1), and people with any color vision tell them apart. The first two are for opposites, such as
 * won and lost; the third is for what is neither.
 */
export const PLOT_COLORS: Record<'light' | 'dark', readonly string[]> = {
  light: ['#1b5bbb', '#bd430f', '#303336', '#713479', '#2d9a63'],
  dark: ['#297eff', '#da572f', '#e0e5eb', '#9f568d', '#43d08a'],
};
