/** The answers to the questions of `mizani init`. */
export type Answers = {
  readonly name: string
  /** The venue's base URL; that of the sandbox = the simulated venue on this machine. */
  readonly venue: string
  /** The name of an environment variable, or the path of a file. */
  readonly key: string
  readonly halfSpreadBps: number
  /** Share of the value to hold in dollars, 0..1. */
  readonly target: number
  /** TZS per USD. */
  readonly corridor: { readonly min: number; readonly max: number }
}

export const SANDBOX_URL = 'http://127.0.0.1:8787'

/** A key with a slash or a dot is the path of a file. */
export function isKeyFile(key: string): boolean {
  return /[./]/.test(key)
}

/** Returns the configuration: what a first position needs, with the reason of each value. */
export function configText({ name, venue, key, halfSpreadBps, target, corridor }: Answers): string {
  const isSandbox = venue === SANDBOX_URL
  const mode = isSandbox
    ? ['# The venue is simulated, so nothing is at stake.', 'mode: live']
    : [
        '# Decides and journals, and changes nothing at the venue. docs/going-live.md says when to write `live`.',
        'mode: dry-run',
      ]
  const clock = isSandbox ? ['  # Simulated time may run faster than ours.', '  clock: virtual'] : []
  return `# A position of mizani, written by \`mizani init\`. Every other key has a default: docs/configuration.md lists them all.
# Unknown keys are refused. \`mizani check\` tests all of it against the venue and changes nothing.

# Its name in metrics, logs and the console.
name: ${name}
${mode.join('\n')}

venue:
  baseUrl: ${venue}
  # For the public rate, which shows the competition and costs nothing of the key's budget.
  publicUrl: ${venue}
  # Never write the key itself here. It can withdraw: treat it like the money.
  apiKey: ${isKeyFile(key) ? `!file ${key}` : `!env ${key}`}
${clock.map((line) => `${line}\n`).join('')}
strategy:
  # A path relative to this file, or the name of a shipped strategy such as inventory-skew.
  use: ./strategies/skewed.ts
  params: { halfSpreadBps: ${halfSpreadBps}, maxSkewBps: 80 }

inventory:
  # Share of the value to hold in dollars, 0 to 1.
  target: ${target}

risk:
  # TZS per USD: nothing is quoted from a mid outside. It changes by restart only.
  priceCorridor: { min: '${corridor.min}', max: '${corridor.max}' }
  # Stop when the loss since the start, or the fall from the best result, exceeds this many TZS:
  # maxLossTzs: '5000000'
  # maxDrawdownTzs: '8000000'

# The journal: every event and decision. Keep it on a disk that survives the machine.
store: { path: ./data/${name} }

# The console, on this machine only.
http: { host: 127.0.0.1, port: 9464 }

# For \`mizani backtest\`: a folder that \`mizani record\` or \`mizani tape import\` wrote.
# backtest: { tape: ./tape }
`
}

/** Returns the first strategy: the half-spread, lower on the side that brings the inventory back to its target. */
export const STRATEGY_TEXT = `/**
 * A half-spread that leans against the inventory.
 *
 * Idea: sell the currency of which we hold too much a little cheaper.
 * Parameters:
 *   halfSpreadBps  the spread on both sides when the inventory is on its target, 10..250
 *   maxSkewBps     what is added on one side and taken off the other when all is one currency, 0..200
 * WHEN IT LOSES: whenever takers know the next mid and we do not, and whenever a competitor is narrower.
 */
import { defineStrategy, z } from '#kit'

export default defineStrategy({
  name: 'skewed',
  params: z.strictObject({
    halfSpreadBps: z.number().min(10).max(250).default(60),
    maxSkewBps: z.number().min(0).max(200).default(80),
  }),
  init: () => ({}),
  quote({ inventory: { imbalance } }, _state, { halfSpreadBps, maxSkewBps }) {
    // -1 = all shillings, 0 = on target, +1 = all dollars.
    const skew = maxSkewBps * imbalance
    return {
      bidBps: imbalance < -0.9 ? null : halfSpreadBps - skew,
      askBps: imbalance > 0.9 ? null : halfSpreadBps + skew,
      reasons: [\`\${(imbalance * 100).toFixed(0)} % of the way to all dollars: skew \${skew.toFixed(1)}\`],
    }
  },
})
`

/** Returns its test, for Node's own runner. */
export const STRATEGY_TEST_TEXT = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { neutralContext } from 'mizani'
import skewed from './skewed.ts'

const params = skewed.params.parse({ halfSpreadBps: 60, maxSkewBps: 80 })

/** The quote at an inventory imbalance, in an otherwise quiet market. */
function quoteAt(imbalance: number) {
  const context = neutralContext()
  return skewed.quote({ ...context, inventory: { ...context.inventory, imbalance } }, {}, params, {})
}

test('quotes the half-spread on both sides on target', () => {
  const { bidBps, askBps } = quoteAt(0)
  assert.deepEqual([bidBps, askBps], [60, 60])
})

test('sells dollars cheaper when it holds too many', () => {
  const { bidBps, askBps } = quoteAt(0.5)
  assert.deepEqual([bidBps, askBps], [20, 100])
})
`

/** The types of a strategy folder: strict, and only what Node runs without a build. */
export const TSCONFIG_TEXT = `{
  "compilerOptions": {
    "target": "es2024",
    "lib": ["es2024"],
    "module": "nodenext",
    "types": ["node"],
    "strict": true,
    "noUncheckedIndexedAccess": true,
    "erasableSyntaxOnly": true,
    "verbatimModuleSyntax": true,
    "allowImportingTsExtensions": true,
    "skipLibCheck": true,
    "noEmit": true
  },
  "include": ["strategies"]
}
`
