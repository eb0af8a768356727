import { LOT_USD, SHILLING, type ExactOutcome } from '../tape/recompute.ts'

/** What an engine printed of a run. Seconds of the engine's own work, without loading and compiling. */
export type EngineRun = {
  readonly cpuSeconds: number
  readonly wallSeconds: number
  readonly peakMiB: number
  /** Null where the engine does not count them. */
  readonly fills: number | null
  readonly lots: number
  /** Shillings received less paid, as decimal text; null = the engine keeps no account in this run. */
  readonly cash: string | null
  /** In place of cash: profit since the first mid at the last one, the opening's dollars left out. */
  readonly profit?: string
}

export type Judgement = {
  readonly isExact: boolean
  /** For the table: what differs from the recomputation, and by how much. */
  readonly text: string
}

const DECIMALS = 30

/** An engine's run held against the recomputation: fills and lots must be equal, and money to the last unit. */
export function judge(run: EngineRun, exact: ExactOutcome, lastMid: number): Judgement {
  const { fills, lots, cash, profit } = run
  const wrong: string[] = []
  if (fills !== null && fills !== exact.fills) wrong.push(`${fills} fills instead of ${exact.fills}`)
  if (lots !== exact.lots) wrong.push(`${lots} lots instead of ${exact.lots}`)
  if (wrong.length > 0) return { isExact: false, text: wrong.join(', ') }
  const right = fills === null ? 'lots right' : `${fills} fills right`
  const given = profit ?? cash
  if (given === null) return { isExact: false, text: `${right}, no account` }
  const held = profit === undefined ? 0n : BigInt(exact.lots) * LOT_USD * BigInt(lastMid) * SHILLING
  const off = unitsOf(given) - ((exact.cash + held) * 10n ** BigInt(DECIMALS)) / SHILLING
  return off === 0n
    ? { isExact: true, text: `${right}, exact` }
    : {
        isExact: false,
        text: `${right}, money off by ${(Number(off) / 10 ** DECIMALS).toExponential(1)} TZS`,
      }
}

/** Decimal text, with an exponent or without, at 30 decimals. Throws where it is no number. */
function unitsOf(text: string): bigint {
  const parts = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text)
  if (parts === null) throw new Error(`an engine printed ${text} where an amount belongs`)
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts
  const shift = DECIMALS - fraction.length + Number(exponent)
  const digits = BigInt(whole + fraction)
  const units = shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift)
  return sign === '-' ? -units : units
}
