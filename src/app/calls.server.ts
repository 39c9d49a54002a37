// Which feature answers which calls, and which background work exists.
import type { FastifyInstance } from 'fastify';
import { serve } from '#api/serve.server.ts';
import type { Services } from '#api/services.server.ts';
import type { JobKind } from '#jobs/jobs.server.ts';
import type { z } from 'zod';
import { contract } from './contract.ts';

export function serveCalls(app: FastifyInstance): void {
  void app;
  void serve;
  void contract;
}

export const jobKinds: readonly JobKind<z.ZodType, Services>[] = [];
