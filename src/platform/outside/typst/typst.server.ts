// Creates the Typst compiler, which typesets PDFs with the fonts of all our documents.
import path from 'node:path';
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler';

/** Returns a compiler for the templates of a folder. The bundled fonts take precedence; the system's fonts provide letters that they lack. */
export function typstIn(workspace: string): NodeCompiler {
  return NodeCompiler.create({ workspace, fontArgs: [{ fontPaths: [path.join(import.meta.dirname, 'fonts')] }] });
}
