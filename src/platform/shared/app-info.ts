// The version and the copyright year in the footer (specification sections 1 and 9).

export const APP_VERSION = '3.12.2';
export const COPYRIGHT_YEAR = 2023;
