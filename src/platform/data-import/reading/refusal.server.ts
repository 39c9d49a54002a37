// Why a cell is refused, as words that follow its value: 'x1' is not a US ZIP code.
export class Refusal {
  readonly reason: string;
  /** The text to show instead of a value that the user cannot read. */
  readonly shown: string | undefined;
  constructor(reason: string, visible?: string) {
    this.reason = reason;
    this.shown = visible;
  }
}
