import type { PartnerOutcome } from '../outcome.ts'
import type { PartnerSettings } from '../settings.ts'

/** The shilling's name in our parameters, and the venues' names. */
const SHILLING = 'TZS_TOKEN'
const SYMBOLS = [SHILLING, 'NTZS'] as const
type ShillingName = (typeof SYMBOLS)[number]

/** An answer may use either symbol. */
export const SHILLING_NAMES = { NTZS: SHILLING } as const

/** The venue's name of the shilling: configured, or learned with `auto`. */
type ShillingSymbol = {
  readonly name: () => ShillingName
  /** Learns from the outcome of a price or a swap. Returns whether a read may be retried with the other name. */
  readonly learn: (outcome: PartnerOutcome<unknown>) => boolean
}

export function createShillingSymbol({
  shillingSymbol,
}: Pick<PartnerSettings, 'shillingSymbol'>): ShillingSymbol {
  let name: ShillingName = shillingSymbol === 'auto' ? SHILLING : shillingSymbol
  let isTaken = shillingSymbol !== 'auto'
  return {
    name: () => name,
    learn(outcome) {
      if (outcome.kind === 'answered') isTaken = true
      const other = SYMBOLS.find((one) => one !== name)
      // A venue that refuses the symbol lists the accepted ones.
      if (isTaken || outcome.kind !== 'refused' || outcome.status !== 400 || other === undefined) return false
      if (!outcome.words.includes(other)) return false
      name = other
      isTaken = true
      return true
    },
  }
}

/** The settings with the learned name of the shilling. */
export type CallSettings = PartnerSettings & { readonly shilling?: ShillingSymbol }

/** Returns the venue's name of a token. */
export function tokenName(token: string, settings: CallSettings): string {
  const { shilling = createShillingSymbol(settings) } = settings
  return token === SHILLING ? shilling.name() : token
}
