// Our own calls about the selling company and its terms by version, for administrators (design 5).
import { z } from 'zod';
import { Nothing, post } from '#platform/api/endpoint.ts';
import { Logo } from '#platform/shared/logo.ts';
import type { Role } from '#platform/shared/roles.ts';
import { RequiredText, Text, Version } from '#platform/shared/wire.ts';

const ADMINISTRATORS: readonly Role[] = ['systemadmin'];

/** Decimal places of computed unit prices: 2 (4 for prices below one), or 4. */
const PricePlaces = z.literal([2, 4]);

export const CompanyInput = z.object({
  name: RequiredText(120),
  /** The address lines as quotes show them. */
  address: Text(500),
  phone: Text(40),
  email: z.union([z.literal(''), z.email('Enter a valid email address.').max(200)]),
  /** An IANA name, such as 'America/Chicago'. Determines which day 'today' is and when a quote's last day ends. */
  timeZone: RequiredText(60),
  defaultValidityDays: z.number().int().min(1).max(730),
  /** Omit to leave unchanged. */
  pricePlaces: PricePlaces.optional(),
  /** Omit to leave unchanged. */
  showPictures: z.boolean().optional(),
  version: Version,
});

export const Company = z.object({
  name: z.string(),
  address: z.string(),
  phone: z.string(),
  email: z.string(),
  timeZone: z.string(),
  defaultValidityDays: z.number().int(),
  pricePlaces: PricePlaces,
  /** Quotes are sent with pictures of their items unless the sender chooses otherwise. */
  showPictures: z.boolean(),
  version: z.number().int(),
});
export type Company = z.infer<typeof Company>;

/** The largest accepted logo file in bytes, and the maximum number of pixels per side. */
export const MAX_LOGO_BYTES = 2_000_000;
export const LOGO_PIXELS = 4000;

/** Returns '2.4 MB', rounded up so that a size above a limit never reads as the limit. */
export function formatFileSize(bytes: number): string {
  return bytes < 100_000 ? `${Math.ceil(bytes / 1000)} kB` : `${Math.ceil(bytes / 100_000) / 10} MB`;
}

const StoredLogo = Logo.extend({
  /** The name of the uploaded file. */
  name: z.string(),
  /** The stored size in bytes. */
  size: z.number().int(),
});
/** `null` means that pages show the company's initial instead. */
const CompanyLogo = z.object({ logo: StoredLogo.nullable() });

/** The id of the logo to replace, or empty if there is none. The server answers 409 if another user has changed it. */
const LogoToReplace = z.object({ replaces: z.string().max(64).default('') });

const TermsVersion = z.object({
  version: z.number().int(),
  text: z.string(),
  createdAt: z.string(),
  /** The number of sent revisions with this version. */
  quotes: z.number().int(),
});

export const CompanyAdmin = {
  GetCompany: post(
    '/api/CompanyAdmin/GetCompany',
    Nothing,
    CompanyLogo.extend({
      company: Company,
      /** Newest first. New quotes are sent with the first one. */
      terms: z.array(TermsVersion),
      timeZones: z.array(z.string()),
      /** The currency of each index, and how many records use it. */
      currencies: z.array(
        z.object({
          currnIdx: z.number().int(),
          currency: z.string(),
          facilities: z.number().int(),
          items: z.number().int(),
        }),
      ),
    }),
    { access: ADMINISTRATORS },
  ),
  SaveCompany: post('/api/CompanyAdmin/SaveCompany', CompanyInput, Company, {
    access: ADMINISTRATORS,
    writes: true,
    peopleOnly: true,
  }),
  UploadLogo: post('/api/CompanyAdmin/UploadLogo', LogoToReplace, CompanyLogo, {
    access: ADMINISTRATORS,
    in: 'upload',
    writes: true,
    summary: 'Uploads a PNG or JPEG logo. Sent quotes keep their logo.',
  }),
  RemoveLogo: post('/api/CompanyAdmin/RemoveLogo', LogoToReplace, CompanyLogo, {
    access: ADMINISTRATORS,
    writes: true,
  }),
  SaveTerms: post(
    '/api/CompanyAdmin/SaveTerms',
    z.object({
      text: RequiredText(20_000),
      /** The version on which the edit is based. */
      version: Version,
    }),
    TermsVersion,
    {
      access: ADMINISTRATORS,
      writes: true,
      summary: 'Saves a new version of the terms. Sent quotes keep their version.',
    },
  ),
};
