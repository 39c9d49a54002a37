// Why a cell cannot be taken, in plain words that follow its value: 'x1' is not a US ZIP code.
export class Refusal {
  readonly reason: string;
  constructor(reason: string) {
    this.reason = reason;
  }
}
