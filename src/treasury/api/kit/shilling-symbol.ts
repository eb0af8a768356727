import type { PartnerOutcome } from '../outcome.ts'
import type { PartnerSettings } from '../settings.ts'

/** What our parameters call the shilling, and the names that venues have for it. */
const SHILLING = 'TZS_TOKEN'
const SYMBOLS = [SHILLING, 'NTZS'] as const
type ShillingName = (typeof SYMBOLS)[number]

/** An answer names it by either symbol. */
export const SHILLING_NAMES = { NTZS: SHILLING } as const

/** The venue's name of the shilling: that of the settings, or with `auto` the one that it is found to take. */
type ShillingSymbol = {
  readonly name: () => ShillingName
  /** Learns from the outcome of a price or a swap. True = the venue takes the other name: the same read may be asked again. */
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
      // A venue that refuses the symbol lists those that it takes.
      if (isTaken || outcome.kind !== 'refused' || outcome.status !== 400 || other === undefined) return false
      if (!outcome.words.includes(other)) return false
      name = other
      isTaken = true
      return true
    },
  }
}

/** The settings, and how the venue calls the shilling, where a client finds that out. */
export type CallSettings = PartnerSettings & { readonly shilling?: ShillingSymbol }

/** A token of our parameters as the venue names it. */
export function tokenName(token: string, settings: CallSettings): string {
  const { shilling = createShillingSymbol(settings) } = settings
  return token === SHILLING ? shilling.name() : token
}
