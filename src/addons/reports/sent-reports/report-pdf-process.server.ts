// The process in which Typst typesets sent reports.
import path from 'node:path';
import { answerJobs } from '#platform/outside/pool-worker.server.ts';
import { typstIn } from '#platform/outside/typst/typst.server.ts';
import type { Definition } from '../common.definitions.ts';
import type { Headline } from './report-content.server.ts';

export type ReportPdfJob = {
  report: {
    title: string;
    company: string;
    /** Year, month and day, which become the PDF's date. */
    date: [number, number, number];
    of: string[];
    figures: Headline[];
    definitions: readonly Definition[];
    asOf: string;
  };
  /** `ratio` is height divided by width. */
  plots: { svg: string; alt: string; ratio: number; note: string }[];
};

const here = import.meta.dirname;
const template = path.join(here, 'report.typ');
const compiler = typstIn(here);

answerJobs(({ report, plots }: ReportPdfJob) => {
  const shadows = plots.map(({ svg }, index) => ({ file: path.join(here, `plot-${index}.svg`), svg }));
  for (const { file, svg } of shadows) compiler.mapShadow(file, Buffer.from(inOurFont(svg)));
  const pictures = plots.map(({ alt, ratio, note }, index) => ({ file: `plot-${index}.svg`, alt, ratio, note }));
  compiler.mapShadow(path.join(here, 'report.json'), Buffer.from(JSON.stringify({ ...report, plots: pictures })));
  try {
    const compiled = compiler.compile({ mainFilePath: template });
    const document = compiled.result;
    if (!document) throw new Error(JSON.stringify(compiled.takeDiagnostics()?.shortDiagnostics ?? 'no reason given'));
    const [year, month, day] = report.date;
    return { pdf: compiler.pdf(document, { creationTimestamp: Date.UTC(year, month - 1, day) / 1000 }) };
  } finally {
    for (const { file } of shadows) compiler.unmapShadow(file);
    compiler.evictCache(0);
  }
});

/** Replaces the browser's fonts, which may not be installed on the server. */
function inOurFont(svg: string): string {
  return svg.replace(/font-family="[^"]*"/, 'font-family="Inter"');
}
