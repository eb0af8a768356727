import type { CoreConfig } from '../engine/core-config.ts'
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

/** Limits that are off. Changes nothing, asks nobody. */
export function checkLimits({ risk }: CoreConfig): Finding[] {
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
