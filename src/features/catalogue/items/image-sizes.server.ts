// The sizes in which pictures of items are shown.

/** Pixels of the longer side at most: lists, pages, and the picture alone. */
export type ImageSize = '160' | '640' | '1600';
