import type { Ms } from '../base/time.ts'
import type { RfqSettings } from '../rfq/rfq-settings.ts'
import type { Hex } from '../rfq/rfq-order.ts'
import type { ExchangeDomain } from './exchange-domain.ts'

/** What a signer signs for; it refuses everything else, whoever asks. */
export type SigningTerms = {
  readonly domain: ExchangeDomain
  /** The shilling must be among them: every order has it on one side. */
  readonly tokens: RfqSettings['tokens']
  /** Who executes orders; null as long as nobody has said, and then nothing is signed. */
  readonly solver: () => Hex | null
  readonly now: () => Ms
}
