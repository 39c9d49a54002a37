// The colors of plots, in a separate file so that only the screens with plots load it.

/**
 * By index. Each contrasts with the card (3:1) and is distinguishable with any kind of color vision. The first two are for opposites, such as won and
 * lost. The third is for values that are neither.
 */
export const PLOT_COLORS: Record<'light' | 'dark', readonly string[]> = {
  light: ['#338fcc', '#c64d10', '#8f8f8f', '#442659', '#25563d'],
  dark: ['#1a6eff', '#ec4613', '#808080', '#de8de2', '#bce6d1'],
};
