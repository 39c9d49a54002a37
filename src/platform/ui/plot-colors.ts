// The colors of plots. A file of its own, so that only the screens with plots load it.

/**
 * By number: each stands out from the card (3:1), and people with any color vision tell them apart. The first two are for opposites, such as
 * won and lost; the third is for what is neither.
 */
export const PLOT_COLORS: Record<'light' | 'dark', readonly string[]> = {
  light: ['#338fcc', '#c64d10', '#8f8f8f', '#442659', '#25563d'],
  dark: ['#1a6eff', '#ec4613', '#808080', '#de8de2', '#bce6d1'],
};
