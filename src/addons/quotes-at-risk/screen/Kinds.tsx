// The kinds of risks as chips, each with its meaning.
import { Chip } from '#platform/ui/Chip.tsx';
import { RISK_WORDS, type RiskKind } from '../risk-kinds.ts';
import { RISK_TONES } from './risk-words.ts';

export function Kinds({ kinds }: { kinds: readonly RiskKind[] }) {
  return kinds.map((kind) => (
    <span key={kind} title={RISK_WORDS[kind].means}>
      <Chip tone={RISK_TONES[kind]}>{RISK_WORDS[kind].label}</Chip>
    </span>
  ));
}
