// Shows the source of a line's price and opens the proof. A proof is rendered only when opened, because a quote may have a thousand rows.
import { laterMenu } from '#platform/ui/later.tsx';
import { sourceTag } from './line-words.ts';
import classes from './lines.module.css';
import type { PriceProofProps } from './PriceProof.tsx';

const PriceProof = laterMenu<PriceProofProps>(
  () => import('./PriceProof.tsx'),
  'The price proof could not be loaded. Check your connection and reload the page.',
);

export function ProofButton({ className = '', ...proof }: PriceProofProps & { className?: string | undefined }) {
  const tag = sourceTag(proof.item);
  return (
    <PriceProof
      {...proof}
      button={
        <button
          type="button"
          className={`${classes['sourceTag']} ${className}`}
          aria-label={`Price proof for line ${proof.item.lineNo}: ${tag}`}
          aria-haspopup="dialog"
          aria-expanded={false}
        >
          {tag}
        </button>
      }
    />
  );
}
