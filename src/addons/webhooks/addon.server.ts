import { addonServer } from '#platform/addons/addon.server.ts';
import { webhooks } from './addon.ts';
import { webhookAnswers } from './webhooks.server.ts';
import { webhookJob } from './deliver.server.ts';
import { webhookFailingJob } from './failing.server.ts';
import { clearWebhooksJob, expiredQuotesJob } from './timed-events.server.ts';

export const webhooksServer = addonServer(webhooks, {
  answers: { Webhook: webhookAnswers },
  jobs: [webhookJob, webhookFailingJob, clearWebhooksJob, expiredQuotesJob],
});
