// The one builder of the browser's addresses (specification section 2).

export const paths = {
  home: '/',
  findQuotePublic: '/pub-quotes',
  findQuoteInternal: '/int-quotes',
  login: '/login',
  resetPassword: '/reset-password',
  changePassword: '/change-password',
  itemSearch: '/item-search',
  newQuote: '/pub-quote-new',
  editQuote: (id: number) => `/pub-quote-edit/${id}`,
  publicBoard: (id: number) => `/pub-quote-board/${id}`,
  internalBoard: (id: number) => `/int-quote-board/${id}`,
  quoteDoc: (docId: string) => `/quote-doc/${docId}`,
} as const;
