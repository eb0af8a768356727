import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { listOf } from '../../../../../src/daemon/console/api/list-routes.ts'
import { totalsOf } from '../../../../../src/daemon/console/api/list-totals.ts'
import { listStandingOf } from '../../../../../src/daemon/console/api/trouble.ts'
import { absentSummary, type PositionSummary } from '../../../../../src/daemon/view/position-summary.ts'
import { exampleSummary } from '../../telemetry/example-summary.ts'
import { consoleOf, position, WITH_TOKEN } from '../console-fixture.ts'

const ALL: readonly PositionSummary[] = [
  exampleSummary({ name: 'desk-10', strategy: 'fixed-spread', pnlTodayUsd: '-3.000001' }),
  exampleSummary({ name: 'desk-2', pnlTodayUsd: '9.5' }),
  exampleSummary({ name: 'paused', paused: true, severity: 'info' }),
  exampleSummary({ name: 'reducing', tradingState: 'REDUCING' }),
  exampleSummary({ name: 'old-mid', tradingState: 'REDUCING', severity: 'warning' }),
  exampleSummary({ name: 'missing', severity: 'critical' }),
  exampleSummary({ name: 'unready', ready: false, severity: 'warning', why: ['the mid is too old'] }),
  exampleSummary({ name: 'starting', tradingState: 'REDUCING', ready: false, severity: 'info' }),
  absentSummary('gone', 'the position does not answer', exampleSummary({ tradingState: 'HALTED' })),
  absentSummary('broken', 'fleet/broken.yaml:3:5: unknown key strateggy', null),
  exampleSummary({ name: 'halted', tradingState: 'HALTED', severity: 'critical' }),
]
const QUERY = { search: '', sort: 'trouble', offset: 0, limit: 100 } as const

const started = (summaries: readonly PositionSummary[] = ALL) =>
  consoleOf({ summaries: async () => summaries })

describe('GET /api/v1/positions', () => {
  test('lists what needs a person first, and equals by name with their numbers in order', async () => {
    const { ask } = await started()
    const { positions } = (await ask('/api/v1/positions')).json() as { positions: PositionSummary[] }
    expect(positions.map((summary) => [listStandingOf(summary), summary.name])).toEqual([
      ['halted', 'halted'],
      ['silent', 'broken'],
      ['silent', 'gone'],
      ['not-ready', 'unready'],
      ['critical', 'missing'],
      ['warning', 'old-mid'],
      ['reducing', 'reducing'],
      ['reducing', 'starting'],
      ['paused', 'paused'],
      ['active', 'desk-2'],
      ['active', 'desk-10'],
    ])
  })

  test('shows a broken configuration with its place', async () => {
    const { ask } = await started()
    const broken = (await ask('/api/v1/positions?search=broken')).json()
    expect(broken).toMatchObject({
      matching: 1,
      positions: [
        { name: 'broken', tradingState: null, why: ['fleet/broken.yaml:3:5: unknown key strateggy'] },
      ],
    })
  })

  test.each([
    ['search=DESK', ['desk-2', 'desk-10']],
    ['search=fixed', ['desk-10']],
    ['standing=halted', ['halted']],
    ['standing=silent,paused', ['broken', 'gone', 'paused']],
    ['severity=critical', ['halted', 'broken', 'gone', 'missing']],
    ['severity=none&ready=true', ['reducing', 'desk-2', 'desk-10']],
    ['ready=false', ['broken', 'gone', 'unready', 'starting']],
    ['search=desk&sort=pnlTodayUsd', ['desk-2', 'desk-10']],
    ['search=nothing-of-that-name', []],
  ])('with %s answers those', async (query, names) => {
    const { ask } = await started()
    const { positions, matching } = (await ask(`/api/v1/positions?${query}`)).json() as {
      positions: PositionSummary[]
      matching: number
    }
    expect(positions.map(({ name }) => name)).toEqual(names)
    expect(matching).toBe(names.length)
  })

  test('has sums over all positions, whatever is asked for, and counts those that it could not value', async () => {
    const { ask } = await started()
    expect((await ask('/api/v1/positions?search=halted')).json()).toMatchObject({
      totals: {
        positions: 11,
        active: 5,
        reducing: 3,
        halted: 1,
        silent: 2,
        notReady: 4,
        unvalued: 1,
        pnlTodayUsd: '18.499999',
        deployedUsd: '10000',
      },
      matching: 1,
    })
  })

  test.each([
    ['standing=halted,dead', 'one or several of halted, silent'],
    ['severity=grave', 'severity'],
    ['limit=501', 'limit'],
    ['limit=0', 'limit'],
    ['offset=-1', 'offset'],
    ['sort=luck', 'sort'],
    ['serach=desk', 'serach'],
    [`search=${'x'.repeat(101)}`, 'search'],
  ])('refuses %s and names what is wrong', async (query, words) => {
    const { ask } = await started()
    const answer = await ask(`/api/v1/positions?${query}`)
    expect(answer.status).toBe(400)
    expect(answer.json()).toMatchObject({ error: 'bad-request' })
    expect(String(answer.json()['message'])).toContain(words)
  })

  test('needs the token where reads do', async () => {
    const { ask } = await consoleOf({ host: '0.0.0.0', summaries: async () => ALL })
    expect((await ask('/api/v1/positions')).status).toBe(401)
    expect((await ask('/api/v1/positions', { headers: WITH_TOKEN })).status).toBe(200)
  })

  test('in pages brings every position once, however long a page is and whatever it is sorted by', () => {
    const sorts = fc.constantFrom('trouble', 'name', 'pnlTodayUsd', 'lossUsd', 'heldUsd')
    fc.assert(
      fc.property(
        fc.array(fc.nat(30), { maxLength: 40 }),
        fc.integer({ min: 1, max: 50 }),
        sorts,
        (drawn, limit, sort) => {
          const summaries = drawn.map((n, index) => {
            const { name: _name, ...like } = ALL[n % ALL.length] ?? exampleSummary()
            return { ...like, name: `${index}` }
          })
          const seen: string[] = []
          let next: number | null = 0
          while (next !== null) {
            const page: ReturnType<typeof listOf> = listOf(summaries, { ...QUERY, sort, limit, offset: next })
            expect(page.positions.length).toBeLessThanOrEqual(limit)
            seen.push(...page.positions.map(({ name }) => name))
            next = page.next
          }
          expect(seen.toSorted()).toEqual(summaries.map(({ name }) => name).toSorted())
        },
      ),
      { numRuns: 100 },
    )
  })

  test('adds up millionths of dollars exactly, of any size and sign', () => {
    const micros = fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n })
    fc.assert(
      fc.property(fc.array(micros, { maxLength: 50 }), (values) => {
        const summaries = values.map((value) => {
          const digits = String(value < 0n ? -value : value).padStart(7, '0')
          return exampleSummary({
            pnlTotalUsd: `${value < 0n ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`,
          })
        })
        const [whole = '0', part = ''] = totalsOf(summaries).pnlTotalUsd.replace('-', '').split('.')
        const sum = values.reduce((one, other) => one + other, 0n)
        expect(BigInt(whole + part.padEnd(6, '0'))).toBe(sum < 0n ? -sum : sum)
      }),
    )
  })
})

describe('many positions', () => {
  const many = Array.from({ length: 30 }, (_, n) => position(`desk-${n}`).port)

  test('are ready when every one is; the answer names at most 20 that are not, the gravest first', async () => {
    let waiting = 0
    const summaries = async () =>
      many.map(({ name }, index) =>
        index < waiting
          ? exampleSummary({ name, ready: false, why: ['no mid'], severity: 'warning' })
          : exampleSummary({ name }),
      )
    const { ask } = await consoleOf({ positions: many, summaries })
    expect((await ask('/readyz')).json()).toEqual({ ready: true, total: 30, notReady: 0, positions: [] })
    waiting = 25
    const answer = await ask('/readyz')
    expect(answer.status).toBe(503)
    const { positions, ...counts } = answer.json() as { positions: object[] }
    expect(counts).toEqual({ ready: false, total: 30, notReady: 25 })
    expect(positions).toHaveLength(20)
    expect(positions[0]).toEqual({ position: 'desk-0', ready: false, why: ['no mid'] })
  })

  test('are ready while a channel of notifications fails, and /readyz names it', async () => {
    const failing = { ...position('desk-0').port, failingChannels: () => ['slack has taken no message'] }
    const { ask } = await consoleOf({ positions: [failing, position('desk-1').port] })
    const answer = await ask('/readyz')
    expect(answer.status).toBe(200)
    expect(answer.json()).toMatchObject({ ready: true, channels: ['desk-0: slack has taken no message'] })
  })

  test('of a fleet are alive while the process answers, and those that ended are named', async () => {
    const ended = position('desk-0', { health: () => ({ alive: false, why: 'the key was refused' }) }).port
    const positions = [ended, ...many.slice(1)]
    const fleet = await consoleOf({ positions, isFleet: true })
    const answer = await fleet.ask('/healthz')
    expect(answer.status).toBe(200)
    expect(answer.json()['positions']).toEqual([
      { position: 'desk-0', alive: false, why: 'the key was refused' },
    ])
    const several = await consoleOf({ positions })
    expect((await several.ask('/healthz')).status).toBe(503)
  })

  test('in a fleet that has none yet answer an empty list instead of asking for patience', async () => {
    const empty = await consoleOf({ positions: [], isFleet: true })
    expect((await empty.ask('/api/v1/positions')).json()).toMatchObject({
      matching: 0,
      positions: [],
      next: null,
    })
    expect((await empty.ask('/readyz')).status).toBe(200)
    const starting = await consoleOf({ positions: [] })
    expect((await starting.ask('/api/v1/positions')).json()).toMatchObject({ error: 'starting' })
  })

  test('are not all listed in the refusal of a name that there is not', async () => {
    const { ask } = await consoleOf({ positions: many })
    const { message } = (await ask('/api/v1/state?position=nobody')).json()
    expect(message).toContain('desk-19 and 10 more, which GET /api/v1/positions lists')
  })
})
