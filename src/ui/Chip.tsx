// A word on a coloured ground: a status, a state. The colour never says anything that the word does not.
import { type Tone, tonesOf } from './tones.ts';

export function Chip({ tone, children }: { tone: Tone; children: string }) {
  return (
    <span className="chip" style={tonesOf(tone)}>
      {children}
    </span>
  );
}
