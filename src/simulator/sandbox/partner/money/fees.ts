import { divide } from '../../../../base/money/rounding.ts'
import type { SimulatedPartnerSettings } from '../options.ts'

/** A share of an amount, rounded up: anyone who takes it is never paid too little. */
export function bpsOf(amount: bigint, bps: number): bigint {
  return divide(amount * BigInt(bps), 10_000n, 'up')
}

/** What a payout costs beyond what arrives, in whole shillings. */
export type PayoutFees = {
  readonly platformFeeTzs: bigint
  readonly pspFeeTzs: bigint
  readonly operatorFeeTzs: bigint
  readonly totalFeeTzs: bigint
}

/** The tariff of payouts; the contract has no figures, so the options do. */
export function payoutFees(
  tzs: bigint,
  rail: 'phone' | 'bank',
  { fees }: SimulatedPartnerSettings,
): PayoutFees {
  const platformFeeTzs = bpsOf(tzs, fees.payoutPlatformBps)
  const share = bpsOf(tzs, fees.phoneRailBps)
  const least = BigInt(fees.phoneRailLeastTzs)
  const phone = share > least ? share : least
  const pspFeeTzs = rail === 'bank' ? BigInt(fees.bankRailTzs) : phone
  const operatorFeeTzs = BigInt(fees.operatorTzs)
  return {
    platformFeeTzs,
    pspFeeTzs,
    operatorFeeTzs,
    totalFeeTzs: platformFeeTzs + pspFeeTzs + operatorFeeTzs,
  }
}

/** The figures as the API shows them. */
export function showFees(fees: PayoutFees): Readonly<Record<keyof PayoutFees, number>> {
  return {
    platformFeeTzs: Number(fees.platformFeeTzs),
    pspFeeTzs: Number(fees.pspFeeTzs),
    operatorFeeTzs: Number(fees.operatorFeeTzs),
    totalFeeTzs: Number(fees.totalFeeTzs),
  }
}
