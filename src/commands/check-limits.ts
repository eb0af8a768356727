import type { CoreConfig } from '../engine/model/config.ts'
import { OWNED_TOKENS, unownedPairs } from '../money/counter-tokens.ts'
import type { Finding } from '../venue/diagnose.ts'

/** What bounds a loss only where it has a number. */
const LIMITS = [
  ['maxLossTzs', 'no loss halts this position'],
  ['maxDrawdownTzs', 'no drawdown halts this position'],
  [
    'maxFillPriceDeviationBps',
    'a venue that executes at worse prices than it quotes is traded with for ever',
  ],
  ['reviewAfter', 'nobody has to look, however much is executed'],
] as const satisfies readonly (readonly [keyof CoreConfig['risk'], string])[]

/** Limits that are off, and tokens that are quoted and cannot be owned. Changes nothing, asks nobody. */
export function checkLimits({ risk, quote }: CoreConfig): Finding[] {
  return [...limitFindings(risk), ...pairFindings(quote)]
}

function pairFindings({ pairs }: CoreConfig['quote']): Finding[] {
  const unowned = unownedPairs(pairs)
  if (unowned.length === 0) return []
  const detail = `quote.pairs ${pairs === null ? 'is null' : 'is longer than what can be owned'}: a fill in ${unowned.join(' or ')} can be neither booked nor withdrawn`
  return [{ name: 'pairs', status: 'warn', detail, hint: `[${OWNED_TOKENS.join(', ')}] would be right` }]
}

function limitFindings(risk: CoreConfig['risk']): Finding[] {
  const off = LIMITS.filter(([name]) => (risk[name] ?? null) === null)
  if (off.length === 0) {
    return [
      {
        name: 'limits',
        status: 'ok',
        detail: 'loss, drawdown, fill price and review have numbers',
        hint: null,
      },
    ]
  }
  return off.map(([name, what]) => ({
    name: 'limits',
    status: 'warn',
    detail: `risk.${name} is null: ${what}`,
    hint: 'give it a number; config/live.example.yaml has some to begin with',
  }))
}
