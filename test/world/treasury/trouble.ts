/** What can go wrong around a treasury. */
export const TREASURY_FAULTS = [
  'request lost',
  'answer lost',
  'server error',
  'rate limit',
  'webhook repeated',
  'webhook lost',
  'webhook late',
  'webhook out of order',
  'webhook before the answer',
  'idempotency key forgotten',
  'position refuses',
  'process killed',
  'restart',
  'clock off',
  'treasury stopped',
  'intent held or cancelled',
  'venue refuses',
  'answer doubled',
  'payout reverted or stuck',
  'outage',
  'instructions unpaid',
] as const
export type TreasuryFault = (typeof TREASURY_FAULTS)[number]

/** The trouble of one day: which kinds there are, and how often each has befallen it. */
export class TreasuryTrouble {
  readonly counts: Partial<Record<TreasuryFault, number>> = {}
  readonly #without: ReadonlySet<string>

  constructor(without: readonly string[] = []) {
    this.#without = new Set(without)
  }

  has(kind: TreasuryFault): boolean {
    return !this.#without.has(kind)
  }

  /** To be asked where it is about to happen. */
  befalls(kind: TreasuryFault): boolean {
    if (this.has(kind)) this.counts[kind] = (this.counts[kind] ?? 0) + 1
    return this.has(kind)
  }

  /** A chance that counts as none where the kind is left out. */
  chance(kind: TreasuryFault, drawn: number): number {
    return this.has(kind) ? drawn : 0
  }
}
