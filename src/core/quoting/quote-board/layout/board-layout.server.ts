// Returns a user's layout of the board, and stores it beside the user's last searches.
import type { Answers } from '#platform/api/serve.server.ts';
import { rememberCriteria, rememberedCriteria } from '#core/quoting/quotes/list/criteria.server.ts';
import { BoardLayout, type QuoteBoard } from './board-layout.contract.ts';

export const quoteBoardAnswers: Answers<typeof QuoteBoard> = {
  GetBoardLayout: async ({ services, user }) =>
    (await rememberedCriteria(services, user.id, 'quote-board', BoardLayout)) ?? BoardLayout.parse({}),

  RememberBoardLayout: async ({ services, user }, layout) => {
    rememberCriteria(services, user.id, 'quote-board', layout);
    return {};
  },
};
