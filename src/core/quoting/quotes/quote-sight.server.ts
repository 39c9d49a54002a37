// Tells the platform who sees a quote and how its number is written.
import { setQuoteSight } from '#platform/kit/quote-sight.server.ts';
import { inSight, seesQuote } from './sight.server.ts';
import { quoteNumber } from './status.ts';

setQuoteSight({ inSight, seesQuote, quoteNumber });
