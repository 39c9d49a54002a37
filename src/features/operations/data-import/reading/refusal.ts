// Why a cell is refused, in words that follow its value: 'x1' is not a US ZIP code.
export class Refusal {
  readonly reason: string;
  constructor(reason: string) {
    this.reason = reason;
  }
}
