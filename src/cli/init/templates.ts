import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

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

/** Returns the folder of the checkout, or of the package, whose bundle is in `dist`. */
export function packageRoot(): string {
  const fromHere = import.meta.url.endsWith('.ts') ? '../../../' : '../'
  return fileURLToPath(new URL(fromHere, import.meta.url))
}

/** Returns a file of `examples/desk`, which a new folder gets a copy of. */
export function templateText(name: string): string {
  return readFileSync(`${packageRoot()}examples/desk/${name}`, 'utf8')
}

/** Returns the strategy of `examples/desk` under another name, and its test. */
export function strategyTexts(name: string): { readonly code: string; readonly test: string } {
  const [code, test] = [templateText('strategies/trend.ts'), templateText('strategies/trend.test.ts')]
  return {
    code: code.replace("name: 'trend'", `name: '${name}'`),
    test: test.replace('./trend.ts', `./${name}.ts`),
  }
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
  apiKey: ${isKeyFile(key) ? `!file ${JSON.stringify(key)}` : `!env ${key}`}
${clock.map((line) => `${line}\n`).join('')}
strategy:
  # A path relative to this file, or the name of a shipped strategy such as inventory-skew.
  use: ./strategies/trend.ts
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

# For \`mizani backtest\`: a folder that \`mizani record\` wrote, or a CSV of your own with the columns time and mid. It has no takers
# and no balances: fills: simulated draws takers, opening is what you hold.
# backtest: { tape: ./mids.csv, fills: simulated, opening: { NTZS: '12500000', USDC: '5000' } }
`
}
