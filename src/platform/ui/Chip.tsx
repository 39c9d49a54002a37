// A word on a colored background: a status or a state. The color never adds information to the word.
import { type Tone, tonesOf } from './tones.ts';

export function Chip({ tone, children }: { tone: Tone; children: string }) {
  return (
    <span className="chip" style={tonesOf(tone)}>
      {children}
    </span>
  );
}
