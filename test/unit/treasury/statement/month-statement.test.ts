import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PLACES } from '../../../../src/treasury/model/place.ts'
import {
  monthSpan,
  monthStatement,
  type BookedEntry,
  type Statement,
  type StatementInput,
} from '../../../../src/treasury/statement/month-statement.ts'
import {
  statementBeancount,
  statementChain,
  statementCsv,
} from '../../../../src/treasury/statement/statement-text.ts'

const TZS = 10n ** 18n
const USD = 10n ** 6n
const eat = (text: string) => Date.parse(`${text}+03:00`)
const move = (
  t: number,
  from: string,
  to: string,
  amount: bigint,
  asset: 'NTZS' | 'USDC' = 'NTZS',
): BookedEntry => ({
  t,
  intent: 'ab12',
  reason: `${from} to ${to}`,
  postings: [
    { account: from, asset, amount: -amount },
    { account: to, asset, amount },
  ],
})

/** Opened in October; in November 20 million come from the bank, and a swap turns 1,000 dollars into shillings. */
const ENTRIES: readonly BookedEntry[] = [
  move(eat('2026-10-20T10:00:00'), 'opening', 'pool', 30_000_000n * TZS),
  move(eat('2026-10-20T10:00:00'), 'opening', 'treasury', 5_000n * USD, 'USDC'),
  move(eat('2026-10-31T23:59:59'), 'trading', 'pool', 1_000n * TZS),
  move(eat('2026-11-01T00:00:00'), 'bank', 'treasury', 20_000_000n * TZS),
  move(eat('2026-11-02T10:00:00'), 'treasury', 'transit:ab12', 20_000_000n * TZS),
  move(eat('2026-11-02T10:01:00'), 'transit:ab12', 'pool', 20_000_000n * TZS),
  {
    t: eat('2026-11-20T10:00:00'),
    intent: 'cd34',
    reason: '=swap "at" the venue',
    postings: [
      { account: 'treasury', asset: 'USDC', amount: -1_000n * USD },
      { account: 'conversion', asset: 'USDC', amount: 1_000n * USD },
      { account: 'conversion', asset: 'NTZS', amount: -2_560_000n * TZS },
      { account: 'treasury', asset: 'NTZS', amount: 2_560_000n * TZS },
    ],
  },
  move(eat('2026-12-01T00:00:00'), 'trading', 'pool', 7n * TZS),
]
const none = { NTZS: 0n, USDC: 0n, USDT: 0n }
const READ: NonNullable<StatementInput['read']> = {
  at: eat('2026-11-30T23:59:00'),
  holdings: {
    pool: { ...none, NTZS: 50_000_000n * TZS },
    lpWallet: { ...none, NTZS: 1_000n * TZS },
    treasury: { ...none, NTZS: 2_560_000n * TZS, USDC: 4_000n * USD },
    platform: none,
    float: null,
  },
}
const BANK = [
  { day: '2026-11-01', amount: -20_000_000n * TZS, reference: '', text: '', line: 1 },
  { day: '2026-12-01', amount: 5n * TZS, reference: '', text: '', line: 2 },
]
const statementOf = (change: Partial<StatementInput> = {}): Statement => {
  const made = monthStatement({
    month: '2026-11',
    entries: ENTRIES,
    read: READ,
    chain: { treasury: { ...none, NTZS: 2_560_000n * TZS, USDC: 4_000n * USD } },
    bank: BANK,
    ...change,
  })
  if (!made.ok) throw new Error(made.error)
  return made.value
}

describe('the statement of a month', () => {
  test('has the opening, what came and left, and the closing of every account and token', () => {
    const { lines, from, to } = statementOf()
    expect([from, to]).toEqual([eat('2026-11-01T00:00:00'), eat('2026-12-01T00:00:00')])
    expect(lines.find(({ account }) => account === 'pool')).toEqual({
      account: 'pool',
      asset: 'NTZS',
      opening: 30_001_000n * TZS,
      came: 20_000_000n * TZS,
      left: 0n,
      closing: 50_001_000n * TZS,
    })
    expect(lines.find(({ account, asset }) => account === 'treasury' && asset === 'NTZS')).toMatchObject({
      opening: 0n,
      came: 22_560_000n * TZS,
      left: 20_000_000n * TZS,
    })
    expect(lines.find(({ account }) => account === 'transit')).toMatchObject({ opening: 0n, closing: 0n })
  })

  test('is tied to books, venue, chain and bank with residual 0, and names what it was not compared with', () => {
    const { ties, isTied, untied } = statementOf()
    expect(new Set(ties.map((one) => one.with))).toEqual(new Set(['books', 'venue', 'chain', 'bank']))
    expect(ties.filter(({ residual }) => residual !== 0n)).toEqual([])
    expect(isTied).toBe(true)
    expect(untied).toEqual(['The venue did not report the balance of float.'])
    expect(statementOf({ read: null, chain: null, bank: null }).untied).toHaveLength(3)
  })

  test('shows the residual of one unit that the venue, the chain or the bank has more', () => {
    const { holdings } = READ
    const read = {
      at: READ.at,
      holdings: { ...holdings, treasury: { ...holdings.treasury!, USDC: 4_000n * USD + 1n } },
    }
    const chain = { float: { ...none, USDC: 1n } }
    const bank = [{ ...BANK[0]!, amount: -20_000_000n * TZS + 1n }]
    for (const change of [{ read }, { chain }, { bank }]) {
      const { ties, isTied } = statementOf(change)
      expect(ties.filter(({ residual }) => residual !== 0n).map(({ residual }) => residual)).toEqual([1n])
      expect(isTied).toBe(false)
    }
  })

  test('of a text that is no month is refused', () => {
    for (const month of ['2026-13', '2026-1', 'November', '']) expect(monthSpan(month)).toBe(null)
    expect(monthStatement({ month: '2026-00', entries: [], read: null, chain: null, bank: null }).ok).toBe(
      false,
    )
    expect(monthSpan('2026-12')).toEqual({ from: eat('2026-12-01T00:00:00'), to: eat('2027-01-01T00:00:00') })
  })

  test('whatever was booked: months follow one another, and closing is opening and movements to the last unit', () => {
    const account = fc.constantFrom(...PLACES, 'transit:1', 'transit:2', 'claim:1', 'railCosts', 'trading')
    const entry = fc
      .tuple(fc.integer({ min: 0, max: 150 }), account, account, fc.bigInt({ min: 0n, max: 10n ** 30n }))
      .map(([day, from, to, amount]) => move(eat('2026-10-01T00:00:00') + day * 86_400_000, from, to, amount))
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 40 }), (drawn) => {
        const entries = drawn.toSorted((a, b) => a.t - b.t)
        const months = ['2026-10', '2026-11', '2026-12', '2027-01', '2027-02', '2027-03'].map((month) =>
          statementOf({ month, entries, read: null, chain: null, bank: null }),
        )
        for (const [index, { lines, ties }] of months.entries()) {
          expect(ties.every(({ residual }) => residual === 0n)).toBe(true)
          for (const line of lines) {
            expect(line.closing).toBe(line.opening + line.came - line.left)
            const next = months[index + 1]?.lines.find(
              ({ account: name, asset }) => name === line.account && asset === line.asset,
            )
            if (next !== undefined) expect(next.opening).toBe(line.closing)
          }
        }
      }),
    )
  })
})

describe('the statement as files', () => {
  test('CSV has every line with exact decimals, and no text that a spreadsheet would run', () => {
    const text = statementCsv(statementOf())
    expect(text).toContain('account,,pool,NTZS,30001000,20000000,0,50001000,,\r\n')
    expect(text).toContain(
      'movement,2026-11-20 10:00,treasury,USDC,,,1000,4000,cd34,"\'=swap ""at"" the venue"\r\n',
    )
    expect(text).toContain('tie,,bank: movements of the month,NTZS,-20000000,,0,-20000000,,residual 0\r\n')
  })

  test('beancount has transactions that sum to zero and balances that follow from them, with all decimals', () => {
    const text = statementBeancount(statementOf())
    expect(text).toMatch(/^ {2}Assets:Treasury {2}-?\d+\.\d{6} USDC$/m)
    const held = new Map<string, bigint>()
    for (const block of text.split('\n\n')) {
      const sums = new Map<string, bigint>()
      for (const [, account = '', figure = '', asset = ''] of block.matchAll(
        /^ {2}(\S+) {2}(\S+) (\S+)$/gm,
      )) {
        const amount = unitsOf(figure)
        sums.set(asset, (sums.get(asset) ?? 0n) + amount)
        held.set(`${account} ${asset}`, (held.get(`${account} ${asset}`) ?? 0n) + amount)
      }
      for (const sum of sums.values()) expect(sum).toBe(0n)
    }
    const asserted = [...text.matchAll(/^2026-12-01 balance (\S+) (\S+) ~ 0 (\S+)$/gm)]
    expect(asserted.length).toBe(5)
    for (const [, account = '', figure = '', asset = ''] of asserted)
      expect(held.get(`${account} ${asset}`)).toBe(unitsOf(figure))
    for (const [, account] of text.matchAll(/^ {2}(\S+) {2}/gm))
      expect(text).toContain(`2026-11-01 open ${account}\n`)
  })

  test('the lines for the chain of hashes change with any movement, and are the same for the same month', () => {
    const lines = statementChain(statementOf())
    expect(lines).toEqual(statementChain(statementOf()))
    expect(lines).toHaveLength(10)
    const changed = statementOf({
      entries: ENTRIES.map((entry, index) => (index === 3 ? { ...entry, reason: 'x' } : entry)),
    })
    expect(statementChain(changed).filter((line, index) => line !== lines[index])).toHaveLength(2)
  })
})

/** Exact decimals in millionths of a millionth of a millionth. */
function unitsOf(figure: string): bigint {
  const [whole = '0', fraction = ''] = figure.replace('-', '').split('.')
  const units = BigInt(whole) * TZS + BigInt(fraction.padEnd(18, '0'))
  return figure.startsWith('-') ? -units : units
}
