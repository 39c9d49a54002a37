// Maps every browser address to its screen (specification section 2). Each screen is a separate chunk.
import { createRootRoute, createRoute, createRouter, notFound, redirect } from '@tanstack/react-router';
import { readSession } from '#platform/auth/sessions/session.web.ts';
import { wayBack } from '#platform/auth/sessions/way-back.ts';
import { isReturn, keptWay, wentToLink } from '#platform/auth/sign-on/sign-on.web.ts';
import { isId, paths } from '#platform/shared/paths.ts';
import { readQuery, writeQuery } from '#platform/shared/query-text.ts';
import type { Address } from '#platform/ui/address.web.ts';
import { rememberPlaces } from '#platform/ui/came-from.web.ts';
import type { AddonScreen, AddonWeb } from '#platform/addons/addon.web.ts';
import { addonsWeb } from './addons.web.ts';
import { chunk } from './chunk.web.ts';
import { NotFoundPage } from './NotFoundPage.tsx';
import { RouteError } from './RouteError.tsx';
import { SignedOutShell } from './SignedOutShell.tsx';
import { whileOn } from './while-on.web.ts';

const root = createRootRoute({
  validateSearch: (search): Address => search as Address,
  notFoundComponent: NotFoundPage,
  errorComponent: RouteError,
});

/** Screens for signed-in users. Redirects a visitor without a token to /login with the full target path. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: ({ location }) => {
    const user = readSession();
    if (!user) throw redirect({ to: paths.login, search: { redirect: location.href } });
    if (user.mustChangePassword && location.pathname !== paths.changePassword)
      throw redirect({ to: paths.changePassword, search: { redirect: location.href } });
    if (user.mustEnroll && ![paths.changePassword, paths.account].some((candidate) => candidate === location.pathname))
      throw redirect({ to: paths.account, search: { redirect: location.href } });
  },
  component: chunk('menu', () => import('./SignedInShell.tsx')),
});

/** Sign-in and reset, which are shown only to signed-out users. */
const signedOut = createRoute({
  getParentRoute: () => root,
  id: 'signed-out',
  beforeLoad: async ({ location }) => {
    if (!readSession()) return;
    // Otherwise another tab has signed in since then.
    if (isReturn(location.searchStr) && wentToLink()) throw redirect({ href: paths.account + location.searchStr });
    if (location.hash.startsWith('invite=')) {
      const { notifications } = await import('@mantine/notifications');
      const message = 'To use an invitation, sign out first, then open its link again.';
      notifications.show({ message, autoClose: false });
    }
    const way = new URLSearchParams(location.searchStr).get('redirect');
    throw redirect({ href: wayBack(isReturn(location.searchStr) ? keptWay() : way) });
  },
  component: SignedOutShell,
});

const plainPaths: readonly unknown[] = Object.values(paths);
/** Rejects an address with an invalid id, which a screen could take for a new record. */
const requireId = (path: string) => {
  const hasNew = plainPaths.includes(path.replace('$id', 'new'));
  return ({ params }: { params: object }) => {
    if ('id' in params && !isId(String(params.id)) && !(hasNew && params.id === 'new')) throw notFound();
  };
};
const inside = <const P extends string>(path: P, component: ReturnType<typeof chunk>) =>
  createRoute({
    getParentRoute: () => signedIn,
    path,
    loader: requireId(path),
    notFoundComponent: NotFoundPage,
    component,
  });
const outside = <const P extends string>(path: P, component: ReturnType<typeof chunk>) =>
  createRoute({ getParentRoute: () => signedOut, path, component });

type Inside<P extends string> = ReturnType<typeof inside<P>>;
type InsideAll<S extends readonly AddonScreen[]> = { -readonly [K in keyof S]: Inside<S[K]['path']> };
type RoutesOf<A extends readonly AddonWeb[]> = A extends readonly [
  infer First extends AddonWeb,
  ...infer Rest extends readonly AddonWeb[],
]
  ? [...InsideAll<First['screens']>, ...RoutesOf<Rest>]
  : [];
/** The routes of the add-ons' screens, typed for the router: each with its own address. */
const screensOfAddons = <A extends readonly AddonWeb[]>(addons: A): RoutesOf<A> =>
  addons.flatMap(({ name, screens }) =>
    screens.map(({ path, page }) => inside(path, whileOn(name, chunk(name, page)))),
  ) as unknown as RoutesOf<A>;

const loadBoard = () => import('#core/quoting/quote-board/QuoteBoardPage.tsx');
const board = chunk('quote-board', loadBoard);
const findQuote = chunk('find-quote', () => import('./FindQuote.tsx'));

const tree = root.addChildren([
  signedIn.addChildren([
    ...screensOfAddons(addonsWeb),
    inside(
      paths.home,
      chunk('home', () => import('./Home.tsx')),
    ),
    inside(paths.findQuotePublic, findQuote),
    inside(paths.findQuoteInternal, findQuote),
    inside(
      paths.itemSearch,
      chunk('item-search', () => import('#core/catalog/item-search/ItemSearchPage.tsx')),
    ),
    inside(
      paths.newQuote,
      chunk('new-quote', () => import('#core/quoting/new-quote/NewQuotePage.tsx')),
    ),
    inside('/pub-quote-edit/$id', chunk('pub-quote-edit', loadBoard)),
    inside('/pub-quote-board/$id', board),
    inside('/int-quote-board/$id', board),
    inside(
      paths.absences,
      chunk('absences', () => import('#core/quoting/approvals/absence/AbsencesPage.tsx')),
    ),
    inside(
      paths.facilities,
      chunk('facilities', () => import('#core/customers/facility-admin/FacilitiesPage.tsx')),
    ),
    inside(
      '/facilities/$id',
      chunk('facility', () => import('#core/customers/facility-admin/FacilityPage.tsx')),
    ),
    inside(
      paths.contracts,
      chunk('gpo-contracts', () => import('#core/prices/contracts/list/ContractsPage.tsx')),
    ),
    inside(
      paths.gposToChoose,
      chunk('gpos-to-choose', () => import('#core/customers/facility-admin/gpos-to-choose/GposToChoosePage.tsx')),
    ),
    inside(
      paths.contractFolders,
      chunk('contract-folders', () => import('#core/prices/contracts/files/ContractFoldersPage.tsx')),
    ),
    inside(
      '/gpo/contracts/$id',
      chunk('gpo-contract', () => import('#core/prices/contract-page/ContractPage.tsx')),
    ),
    inside(
      '/tools/CapsContractHotSheet/$id',
      chunk('hot-sheet', () => import('#core/prices/contracts/hot-sheet/HotSheetPage.tsx')),
    ),
    inside(
      paths.settings,
      chunk('settings', () => import('#core/company/settings/SettingsPage.tsx')),
    ),
    inside(
      paths.regions,
      chunk('regions', () => import('#core/territories/regions/RegionsPage.tsx')),
    ),
    inside(
      paths.territories,
      chunk('territories', () => import('#core/territories/territory-admin/TerritoriesPage.tsx')),
    ),
    inside(
      '/admin/territories/$id',
      chunk('territory', () => import('#core/territories/territory-admin/TerritoryPage.tsx')),
    ),
    inside(
      paths.findRep,
      chunk('find-rep', () => import('#core/territories/territory-admin/find-rep/FindRepPage.tsx')),
    ),
    inside(
      paths.users,
      chunk('users', () => import('#core/people/user-admin/UsersPage.tsx')),
    ),
    inside(
      paths.newUser,
      chunk('user-signup', () => import('#core/people/user-admin/UserSignupPage.tsx')),
    ),
    inside(
      '/admin/userEdit/$id',
      chunk('user-edit', () => import('#core/people/user-admin/UserEditPage.tsx')),
    ),
    inside(
      paths.itemClasses,
      chunk('item-class', () => import('#core/catalog/item-classes/ItemClassesPage.tsx')),
    ),
    inside(
      paths.crossReferences,
      chunk('cross-references', () => import('#core/catalog/cross-references/CrossReferencesPage.tsx')),
    ),
    inside(
      paths.products,
      chunk('products', () => import('#core/catalog/products/ProductsPage.tsx')),
    ),
    inside(
      '/admin/itemProdDbItems/$id',
      chunk('product', () => import('#core/catalog/product-page/ProductPage.tsx')),
    ),
    inside(
      paths.itemMapping,
      chunk('item-mapping', () => import('#core/catalog/products/mapping/MappingPage.tsx')),
    ),
    inside(
      paths.itemDocuments,
      chunk('item-documents', () => import('#core/catalog/documents/DocumentsPage.tsx')),
    ),
    inside(
      paths.imageInbox,
      chunk('image-inbox', () => import('#core/catalog/pictures/inbox/screen/ImageInboxPage.tsx')),
    ),
    inside(
      paths.itemImages,
      chunk('item-images', () => import('#core/catalog/pictures/gallery/ItemImagesPage.tsx')),
    ),
    inside(
      paths.mediaLibrary,
      chunk('media-library', () => import('#core/catalog/pictures/cloud/MediaLibraryPage.tsx')),
    ),
    inside(
      paths.quoteTemplates,
      chunk('quote-templates', () => import('#core/quoting/quote-templates/TemplatesPage.tsx')),
    ),
    inside(
      '/admin/admin-quote-template/$id',
      chunk('quote-template', () => import('#core/quoting/quote-templates/TemplatePage.tsx')),
    ),
    inside(
      paths.promotions,
      chunk('item-promotions', () => import('#core/prices/promotion-admin/PromotionsPage.tsx')),
    ),
    inside(
      paths.account,
      chunk('account', () => import('./Account.tsx')),
    ),
    inside(
      paths.publicSite,
      chunk('public-site', () => import('#core/company/public-site/PublicSitePage.tsx')),
    ),
    inside(
      paths.approvalRules,
      chunk('approval-rules', () => import('#core/quoting/approvals/rule-settings/ApprovalRulesPage.tsx')),
    ),
    inside(
      paths.company,
      chunk('company', () => import('#core/company/company-admin/CompanyPage.tsx')),
    ),
    inside(
      paths.mailbox,
      chunk('mailbox', () => import('#platform/mail/MailboxPage.tsx')),
    ),
    inside(
      paths.apiKeys,
      chunk('api-keys', () => import('#platform/api-keys/ApiKeysPage.tsx')),
    ),
    inside(
      paths.audit,
      chunk('audit', () => import('#core/company/audit/AuditPage.tsx')),
    ),
    inside(
      paths.securityLog,
      chunk('security-log', () => import('#core/company/security-log/SecurityLogPage.tsx')),
    ),
    inside(
      paths.notificationSettings,
      chunk('notification-settings', () => import('#platform/notifications/NotificationSettingsPage.tsx')),
    ),
    inside(
      paths.features,
      chunk('features', () => import('#platform/features/FeaturesPage.tsx')),
    ),
    inside(
      paths.retention,
      chunk('retention', () => import('#platform/retention/RetentionPage.tsx')),
    ),
    inside(
      paths.backgroundWork,
      chunk('background-work', () => import('#platform/background-work/BackgroundWorkPage.tsx')),
    ),
    inside(
      paths.dataImport,
      chunk('data-import', () => import('#core/company/import-kinds/DataImportPage.tsx')),
    ),
    inside(
      paths.tazImport,
      chunk('taz-import', () => import('#core/territories/zip-assignment-import/ZipAssignmentImportPage.tsx')),
    ),
    inside(
      paths.contractImport,
      chunk('contract-import', () => import('#core/prices/contracts/import/ContractImportPage.tsx')),
    ),
    inside(
      paths.changePassword,
      chunk('change-password', () => import('#platform/auth/screens/ChangePasswordPage.tsx')),
    ),
    // Catches any other address. A signed-out visitor goes to the sign-in page first.
    createRoute({ getParentRoute: () => signedIn, path: '$', component: NotFoundPage }),
  ]),
  signedOut.addChildren([
    outside(
      paths.login,
      chunk('login', () => import('#platform/auth/screens/LoginPage.tsx')),
    ),
    outside(
      paths.resetPassword,
      chunk('reset-password', () => import('#platform/auth/screens/ResetPasswordPage.tsx')),
    ),
  ]),
  // The customer's page has its own header and needs no account.
  createRoute({
    getParentRoute: () => root,
    path: '/quote-doc/$docId',
    component: chunk('quote-doc', () => import('#core/quoting/quote-doc/QuoteDocPage.tsx')),
  }),
]);

/** Returns whether this is a board or a page that creates a quote. From these, Back leads to the list that the user came from. */
const isOfQuote = (path: string) => /^\/(pub|int)-quote-(board|edit|new)\b/.test(path) || path === paths.login;

export function buildRouter() {
  const router = createRouter({
    routeTree: tree,
    scrollRestoration: true,
    // The addresses of the specification end in a slash and keep it.
    trailingSlash: 'preserve',
    defaultPreload: 'intent',
    defaultErrorComponent: RouteError,
    parseSearch: readQuery,
    stringifySearch: writeQuery,
  });
  rememberPlaces(router, isOfQuote);
  return router;
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The quote is new, so the focus moves to the field that adds lines. */
    isNewQuote?: boolean;
  }
  interface Register {
    router: ReturnType<typeof buildRouter>;
  }
}
