// Which feature answers which calls, and which background work exists.
import type { FastifyInstance } from 'fastify';
import { serve } from '#api/serve.server.ts';
import type { Services } from '#api/services.server.ts';
import { authAnswers } from '#features/auth/auth.server.ts';
import { authenticate } from '#features/auth/caller.server.ts';
import { resetPasswordJob } from '#features/auth/temporary-password.server.ts';
import { mailJob } from '#features/mail/outbox.server.ts';
import { userEditAnswers } from '#features/users/users.server.ts';
import type { JobKind } from '#jobs/jobs.server.ts';
import type { z } from 'zod';
import { quoteDocAnswers } from '#features/quote-doc/quote-doc.server.ts';
import { quoteEditAnswers } from '#features/quote-edit/quote-edit.server.ts';
import { quoteFileUploadAnswers } from '#features/quote-workflow/quote-files.server.ts';
import { quoteWorkflowAnswers } from '#features/quote-workflow/quote-workflow.server.ts';
import { sendRevisionJob } from '#features/quote-workflow/sending.server.ts';
import { facilitySearchAnswers } from '#features/facilities/facilities.server.ts';
import { quoteSearchAnswers } from '#features/quotes/quotes.server.ts';
import { regionAnswers } from '#features/regions/regions.server.ts';
import { territoryAnswers } from '#features/territories/territories.server.ts';
import { serveItemImages } from '#features/items/item-images.server.ts';
import { itemSearchAnswers } from '#features/items/items.server.ts';
import { contract } from './contract.ts';

export function serveCalls(app: FastifyInstance): void {
  app.decorate('authenticate', authenticate);
  serve(app, contract.Auth, authAnswers);
  serve(app, contract.FacilitySearch, facilitySearchAnswers);
  serve(app, contract.ItemSearch, itemSearchAnswers);
  serveItemImages(app);
  serve(app, contract.QuoteDoc, quoteDocAnswers);
  serve(app, contract.QuoteEdit, quoteEditAnswers);
  serve(app, contract.QuoteFileUpload, quoteFileUploadAnswers);
  serve(app, contract.QuoteSearch, quoteSearchAnswers);
  serve(app, contract.QuoteWorkflow, quoteWorkflowAnswers);
  serve(app, contract.Region, regionAnswers);
  serve(app, contract.Territory, territoryAnswers);
  serve(app, contract.UserEdit, userEditAnswers);
}

export const jobKinds: readonly JobKind<z.ZodType, Services>[] = [mailJob, resetPasswordJob, sendRevisionJob];
