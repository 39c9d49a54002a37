// Makes the PDF of a sent report in a separate process, with the plots as vector pictures.
import type { ReportContent } from './report-content.server.ts';
import { plotSvg } from '../plots/svg-text.ts';
import { noteOf } from '../plots/plot.ts';
import { ProcessPool } from '#platform/outside/process-pool.server.ts';
import type { ReportPdfJob } from './report-pdf-process.server.ts';

/** The width of the pictures, in their own units. They fill the page. */
const WIDTH = 680;

const pool = new ProcessPool<ReportPdfJob, { pdf: Uint8Array }>(
  new URL('./report-pdf-process.server.ts', import.meta.url),
  { size: 1, timeout: 60_000, says: 'The PDF of the report could not be created. Try again in a moment.' },
);

/** The report on Letter paper: figures, plots, and definitions. The same content always produces the same bytes. */
export async function reportPdf(content: ReportContent): Promise<Buffer> {
  const { title, company, to, of, figures, plots, definitions, asOf } = content;
  const [year = 0, month = 0, day = 0] = to.split('-').map(Number);
  const { pdf } = await pool.run({
    report: { title, company, date: [year, month, day], of, figures, definitions, asOf },
    plots: plots.map((plot) => {
      const { text, width, height } = plotSvg(plot, WIDTH);
      return { svg: text, alt: plot.title, ratio: height / width, note: noteOf(plot) };
    }),
  });
  return Buffer.from(pdf);
}
