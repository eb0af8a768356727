import { err, ok, type Result } from '../../../base/result.ts'
import type { PartnerClient } from '../../../treasury/api/client.ts'
import type { PartnerOutcome } from '../../../treasury/api/outcome.ts'
import { readRegisteredName } from '../../../treasury/approvals/registered-name.ts'
import type { Leg, LegQuote } from '../../../treasury/model/intent.ts'
import { payoutTerms, phoneOf, sixDecimals, SWAP_TOKEN, type LegCallParts } from './leg-calls.ts'
import { SHILLING } from '../../../treasury/policy/units.ts'

/** Why there is no price. `isFinal`: a retry cannot succeed. */
type NoQuote = { readonly code: string; readonly words: string; readonly isFinal: boolean }

type QuoteParts = Omit<LegCallParts, 'client'> & {
  readonly client: Pick<PartnerClient, 'quoteWithdrawal' | 'quoteRamp' | 'swapRate'>
}

/** Returns the venue's current price of a leg. Never throws because of an answer of the venue. */
export async function quoteLeg({ client, config }: QuoteParts, leg: Leg): Promise<Result<LegQuote, NoQuote>> {
  switch (leg.kind) {
    case 'withdrawal': {
      const terms = payoutTerms(config, leg)
      if (!terms.ok) return impossible(terms.error)
      return priced(await client.quoteWithdrawal(terms.value), (quote) => ({
        quoteId: quote.quoteId,
        expiresAt: quote.expiresAt,
        spend: quote.burnAmountTzs * SHILLING,
        receive: quote.receiveAmountTzs * SHILLING,
        feeTzs: quote.totalFeeTzs * SHILLING,
        recipientName: readRegisteredName(quote.recipientName).name,
      }))
    }
    case 'onramp':
    case 'offramp': {
      const phoneNumber = phoneOf(config, leg)
      if (phoneNumber === null) return impossible('treasury.phone names no line for the ramp')
      const isIn = leg.kind === 'onramp'
      const tzsAmount = (isIn ? leg.amount : leg.leastReceived) / SHILLING
      return priced(await client.quoteRamp({ direction: leg.kind, tzsAmount, phoneNumber }), (quote) => {
        const [tzs, usdc] = [quote.tzsAmount * SHILLING, quote.usdcAmount]
        return {
          quoteId: quote.quoteId,
          expiresAt: quote.expiresAt,
          spend: isIn ? tzs : usdc,
          receive: isIn ? usdc : tzs,
          feeTzs: (quote.feeTzs ?? 0n) * SHILLING,
          recipientName: readRegisteredName(quote.recipientName).name,
        }
      })
    }
    case 'swap': {
      const to = leg.receiveAsset === 'NTZS' ? 'TZS_TOKEN' : 'USDC'
      const amount = sixDecimals(leg.asset, leg.amount)
      const rate = await client.swapRate({ from: SWAP_TOKEN[leg.asset], to, amount })
      if (rate.kind === 'answered' && (rate.value.expectedOutput ?? 0n) <= 0n)
        return err({ code: 'no_output', words: 'the venue expects no output', isFinal: false })
      return priced(rate, ({ expectedOutput, expiresAt }) => ({
        quoteId: null,
        expiresAt,
        spend: leg.amount,
        receive: expectedOutput ?? 0n,
        feeTzs: 0n,
        recipientName: null,
      }))
    }
    case 'deposit':
    case 'transfer':
    case 'spend':
    case 'lpWithdrawal':
    case 'lpActivation':
    case 'lpDeactivation':
      return impossible(`${leg.kind} has no price`)
  }
}

function priced<Answer>(
  outcome: PartnerOutcome<Answer>,
  quoteOf: (answer: Answer) => LegQuote,
): Result<LegQuote, NoQuote> {
  if (outcome.kind === 'answered') return ok(quoteOf(outcome.value))
  if (outcome.kind === 'unknown') return err({ code: 'unknown', words: outcome.words, isFinal: false })
  const { code, words, retry } = outcome
  return err({ code, words, isFinal: retry === 'never' })
}

function impossible(words: string): Result<LegQuote, NoQuote> {
  return err({ code: 'not_possible', words, isFinal: true })
}
