// Typst, which typesets PDFs, with the fonts of all our documents.
import path from 'node:path';
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler';

/** A compiler for the templates of a folder. The pinned fonts take precedence. The system's fonts provide letters they lack. */
export function typstIn(workspace: string): NodeCompiler {
  return NodeCompiler.create({ workspace, fontArgs: [{ fontPaths: [path.join(import.meta.dirname, 'fonts')] }] });
}
