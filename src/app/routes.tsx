// Every address of the browser and its screen (specification section 2), each screen a chunk of its own.
import { createRootRoute, createRoute, createRouter, redirect } from '@tanstack/react-router';
import { readSession } from '#features/auth/session.web.ts';
import { paths } from '#shared/paths.ts';
import { chunk } from './chunk.web.ts';
import { RouteError } from './RouteError.tsx';
import { NotFoundPage } from './NotFoundPage.tsx';
import { SignedOutShell } from './SignedOutShell.tsx';

const root = createRootRoute({ notFoundComponent: NotFoundPage, errorComponent: RouteError });

/** Screens for signed-in people: without a token to /login with the full target path. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: ({ location }) => {
    const user = readSession();
    if (!user) throw redirect({ to: paths.login, search: { redirect: location.href } });
    if (user.mustChangePassword && location.pathname !== paths.changePassword)
      throw redirect({ to: paths.changePassword });
  },
  component: chunk('menu', () => import('./SignedInShell.tsx')),
});

/** Login and reset: only while signed out. */
const signedOut = createRoute({
  getParentRoute: () => root,
  id: 'signed-out',
  beforeLoad: () => {
    if (readSession()) throw redirect({ to: paths.home });
  },
  component: SignedOutShell,
});

const inside = (path: string, component: ReturnType<typeof chunk>) =>
  createRoute({ getParentRoute: () => signedIn, path, component });
const outside = (path: string, component: ReturnType<typeof chunk>) =>
  createRoute({ getParentRoute: () => signedOut, path, component });

const loadBoard = () => import('#features/quote-board/QuoteBoardPage.tsx');
const board = chunk('quote-board', loadBoard);
const findQuote = chunk('find-quote', () => import('#features/quotes/FindQuotePage.tsx'));

const tree = root.addChildren([
  signedIn.addChildren([
    inside(
      paths.home,
      chunk('home', () => import('#features/quotes/HomePage.tsx')),
    ),
    inside(paths.findQuotePublic, findQuote),
    inside(paths.findQuoteInternal, findQuote),
    inside(
      paths.itemSearch,
      chunk('item-search', () => import('#features/item-search/ItemSearchPage.tsx')),
    ),
    inside(
      paths.newQuote,
      chunk('new-quote', () => import('#features/new-quote/NewQuotePage.tsx')),
    ),
    inside('/pub-quote-edit/$id', chunk('pub-quote-edit', loadBoard)),
    inside('/pub-quote-board/$id', board),
    inside('/int-quote-board/$id', board),
    inside(
      paths.changePassword,
      chunk('change-password', () => import('#features/auth/ChangePasswordPage.tsx')),
    ),
    // Whatever else: who is signed out is sent to the login first.
    createRoute({ getParentRoute: () => signedIn, path: '$', component: NotFoundPage }),
  ]),
  signedOut.addChildren([
    outside(
      paths.login,
      chunk('login', () => import('#features/auth/LoginPage.tsx')),
    ),
    outside(
      paths.resetPassword,
      chunk('reset-password', () => import('#features/auth/ResetPasswordPage.tsx')),
    ),
  ]),
  // The customer's page has a head of its own and needs no account.
  createRoute({
    getParentRoute: () => root,
    path: '/quote-doc/$docId',
    component: chunk('quote-doc', () => import('#features/quote-doc/QuoteDocPage.tsx')),
  }),
]);

export function buildRouter() {
  return createRouter({
    routeTree: tree,
    scrollRestoration: true,
    defaultPreload: 'intent',
    defaultErrorComponent: RouteError,
    // Search is plain text both ways, so that addresses stay readable: ?status=Editing,Won&page=2
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch: (search) => {
      const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== null && value !== '');
      const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
      return text ? `?${text}` : '';
    },
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof buildRouter>;
  }
}
