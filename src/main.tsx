// The browser's entry: sets up theme, queries, and router.
import '@mantine/core/styles.css';
import '#platform/ui/ui.css';
import { MantineProvider } from '@mantine/core';
import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { isSwitchedOff } from '#platform/addons/addon.web.ts';
import { HttpError, invalid, isForbidden } from '#platform/api/http-error.ts';
import { onWritten } from '#platform/api/request.web.ts';
import { isOldAfter } from '#app/reads-after-write.ts';
import { readNews } from '#app/read-news.web.ts';
import { buildRouter } from '#app/routes.tsx';
import { readSession, restoreSession } from '#platform/auth/sessions/session.web.ts';
import { prefetchFindQuote, prefetchHome } from '#core/quoting/quotes/list/quote-page.web.ts';
import { prefetchMap } from '#addons/territory-map/map-queries.web.ts';
import { setCompanyTimeZone } from '#platform/shared/dates.ts';
import { paths } from '#platform/shared/paths.ts';
import { appConfig } from '#platform/ui/app-config.web.ts';
import { forgetGlobalError, forgetSilence, setGlobalError } from '#platform/ui/global-error.web.ts';
import { noteOwnAct } from '#platform/ui/steady-rows.web.ts';
import { focusScreen, keepFocus } from '#platform/ui/keep-focus.web.ts';
import { oneEscape } from '#platform/ui/one-escape.web.ts';
import { theme } from '#platform/ui/theme.web.ts';
import { pasteWhole } from '#platform/ui/whole-paste.web.ts';

const queries = new QueryClient({
  // A query that a whole screen needs has no place of its own to show an error, so the frame shows it.
  queryCache: new QueryCache({
    onError: (error, query) => {
      const what = query.meta?.['global'];
      // The names of fields in the call mean nothing to the person.
      const reported = error instanceof HttpError && error.errors ? invalid(error.errors) : error;
      const silence = error instanceof HttpError && error.status === 0;
      if (!silence) forgetSilence();
      // Without an answer the screen lacks something until the query itself succeeds.
      const isKept = silence && query.state.data !== undefined;
      if (typeof what === 'string')
        setGlobalError(`${what} ${reported.message}`, { of: query.queryHash, silence: isKept });
    },
    onSuccess: (_data, query) => {
      forgetSilence();
      forgetGlobalError(query.queryHash);
    },
  }),
  defaultOptions: {
    queries: {
      // The browser's offline detection says nothing about a server in the local network.
      networkMode: 'always',
      refetchOnReconnect: true,
      staleTime: 10_000,
      // A refusal stays a refusal. Only an unreachable server is asked again.
      retry: (count, error) => count < 2 && error instanceof HttpError && (error.status === 0 || error.status >= 502),
      // A screen whose reads are kept from this person does not open (src/app/NotOpenPage.tsx).
      throwOnError: (error, { state }) => isForbidden(error) && state.data === undefined,
    },
    // A save without a network fails at once with a message, instead of waiting silently.
    mutations: { networkMode: 'always' },
  },
});
queries.getQueryCache().subscribe(({ type, query }) => {
  if (type === 'observerRemoved' && !query.isActive()) forgetGlobalError(query.queryHash);
});
onWritten((path) => {
  noteOwnAct();
  void queries.invalidateQueries({ predicate: ({ queryKey }) => isOldAfter(path, String(queryKey[0])) });
});
document.addEventListener('visibilitychange', noteOwnAct);
readNews(queries);
setCompanyTimeZone(appConfig.timeZone || undefined);
restoreSession();
keepFocus();
oneEscape();
pasteWhole();
if (readSession()) {
  // Starts before the screen's own files load. If it fails, the screen asks again and reports the error.
  const { pathname, search } = location;
  if (pathname === paths.home && search === '') void prefetchHome(queries).catch(() => {});
  if (pathname === paths.findQuoteInternal || pathname === paths.findQuotePublic)
    void prefetchFindQuote(queries, search).catch(() => {});
  if (pathname === paths.territoryMap && !isSwitchedOff('territory-map') && !search.includes('date='))
    void prefetchMap(queries).catch(() => {});
}
// Where Mantine's dialogs look for it, to stop the page behind from scrolling.
Object.assign(globalThis, { __webpack_nonce__: appConfig.styleNonce });
const router = buildRouter();
router.subscribe('onResolved', ({ fromLocation }) => fromLocation && focusScreen());
const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => appConfig.styleNonce}>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
