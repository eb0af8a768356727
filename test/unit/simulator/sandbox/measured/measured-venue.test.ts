import { describe, expect, test } from 'vitest'
import { formatAmount, zeroAmounts, type Asset } from '../../../../../src/base/money/asset.ts'
import { conservationGap } from '../../../../support/conservation-gap.ts'
import { poolInBook } from '../../../../../src/simulator/sandbox/market/provider.ts'
import {
  SandboxOptionsSchema,
  type SandboxOptionsInput,
} from '../../../../../src/simulator/sandbox/options.ts'
import { modelClient, type ModelClient } from '../model-client.ts'
import { rival, scriptedWorld, START } from '../scripted-world.ts'

const NTZS = 10n ** 18n
const USDC = 10n ** 6n

function measured(options: SandboxOptionsInput = {}, rivals = [] as ReturnType<typeof rival>[]): ModelClient {
  return modelClient({ venue: 'measured', ...options }, scriptedWorld([], rivals))
}

function active(options: SandboxOptionsInput = {}, rivals = [] as ReturnType<typeof rival>[]): ModelClient {
  const client = measured({ isActive: true, ...options }, rivals)
  client.ask('PATCH', '/spread', { bidBps: 70, askBps: 50 })
  return client
}

const activate = ({ ask }: ModelClient, isActive: boolean) => ask('PATCH', '/activate', { isActive })
const held = ({ model: { state } }: ModelClient, asset: Asset) => ({
  pool: formatAmount(poolInBook(state.ours, asset)),
  wallet: state.ours.wallet[asset],
})

describe('an activation of the measured venue', () => {
  test('sweeps token by token for 16.7 s, and only then is the account active', () => {
    const client = measured()
    expect(activate(client, true).delayMs).toBe(16_700)
    client.model.advanceTo(START + 16_699)
    const { ours } = client.model.state
    expect([ours.wallet, ours.isActive]).toMatchObject([{ NTZS: 0n, USDC: 0n, USDT: 4_000n * USDC }, false])
    client.model.advanceTo(START + 16_700)
    expect([ours.wallet.USDT, ours.isActive]).toEqual([0n, true])
  })

  test('that stops half-way leaves the first token in the pool of an inactive account, and the next one sweeps the rest', () => {
    const client = measured({ faults: { halfActivation: 1 } })
    expect(activate(client, true)).toMatchObject({ status: 500, rawBody: '' })
    client.model.advanceTo(START + 20_000)
    const { ours } = client.model.state
    expect([ours.pool.NTZS, ours.wallet.USDC, ours.isActive]).toEqual([
      40_000_000n * NTZS,
      12_000n * USDC,
      false,
    ])
    client.model.inject({ faults: { halfActivation: 0 } })
    const second = activate(client, true).body as { swept: { symbol: string }[] }
    expect(second.swept.map(({ symbol }) => symbol)).toEqual(['USDC', 'USDT'])
    client.model.advanceTo(START + 40_000)
    expect([ours.pool.USDT, ours.isActive]).toEqual([4_000n * USDC, true])
  })

  test('of an account that the operator set inactive is refused, and a deactivation returns the tokens of its pool', () => {
    const client = active()
    client.model.inject({ setInactive: true })
    expect(activate(client, true).status).toBe(400)
    expect(client.model.swap({ from: 'USDC', to: 'NTZS', amountIn: USDC }).ok).toBe(false)
    const answer = activate(client, false)
    expect([answer.status, (answer.body as { returned: unknown[] }).returned.length]).toEqual([200, 3])
    client.model.advanceTo(START + 12_500)
    expect(held(client, 'USDC')).toEqual({ pool: '0', wallet: 12_000n * USDC })
  })
})

describe('a deactivation of the measured venue', () => {
  test('pays whole units of the token after 12.5 s, and the rest is lost', () => {
    const client = active()
    client.model.swap({ from: 'NTZS', to: 'USDC', amountIn: 250_000n * NTZS })
    expect(held(client, 'USDC').pool).toBe('11901.6848063555114')
    expect(activate(client, false).delayMs).toBe(12_500)
    client.model.advanceTo(START + 12_500)
    expect(held(client, 'USDC')).toEqual({ pool: '0', wallet: 11_901_684_806n })
    expect(client.model.book().rests.USDC).toBeGreaterThan(0n)
    expect(conservationGap(client.model.book())).toEqual(zeroAmounts())
  })

  test('is routed to until it ends, and does not return what fills have changed since it began', () => {
    const client = active()
    const { body } = activate(client, false)
    client.model.advanceTo(START + 9_000)
    expect(client.model.state.ours.wallet.USDC).toBe(12_000n * USDC)
    expect(client.model.swap({ from: 'USDC', to: 'NTZS', amountIn: 100n * USDC }).ok).toBe(true)
    client.model.advanceTo(START + 12_500)
    expect((body as { returned: { amount: string }[] }).returned.map(({ amount }) => amount)).toEqual([
      '4000.0',
      '12000.0',
      '40000000.0',
    ])
    expect([held(client, 'USDC'), held(client, 'NTZS')]).toEqual([
      { pool: '0', wallet: 12_000n * USDC },
      { pool: '0', wallet: 40_000_000n * NTZS },
    ])
    expect((client.get('/fills') as { fills: unknown[] }).fills).toHaveLength(1)
    expect(conservationGap(client.model.book())).toEqual(zeroAmounts())
    expect(client.model.swap({ from: 'USDC', to: 'NTZS', amountIn: USDC }).ok).toBe(false)
  })

  test('never returns a position on bnb, and leaves the account active', () => {
    const client = active({ opening: { 'USDT.bnb': '5' } })
    for (const at of [0, 20_000]) {
      client.model.advanceTo(START + at)
      expect(activate(client, false)).toMatchObject({
        status: 207,
        body: { isActive: true, failed: [{ symbol: 'USDT', reason: expect.stringMatching(/decode/) }] },
      })
    }
    client.model.advanceTo(START + 40_000)
    expect([client.model.state.ours.isActive, held(client, 'USDC').pool]).toEqual([true, '0'])
  })
})

describe('the mids of the measured venue', () => {
  test('differ: /rate and /quote have the configuration, the public rate and fills that of the pair', () => {
    const client = active({ measured: { rateBps: -32, pairBps: { USDT: 100 } } })
    expect(client.get('/rate')).toEqual({ midRateTZS: 2_492 })
    expect(client.get('/quote?fromToken=USDC&toToken=NTZS&amount=1')).toMatchObject({ midRate: 2_492 })
    const shown = (from: string) => client.get(`/api/v1/swap/rate?from=${from}&to=NTZS&amount=1`)
    expect([shown('USDC'), shown('USDT')]).toMatchObject([{ midRate: 2_500 }, { midRate: 2_525 }])
    const filled = client.model.swap({ from: 'USDT', to: 'NTZS', amountIn: USDC, slippageBps: 0 })
    expect(filled.ok && formatAmount(filled.value.measured?.amountOut ?? 0n)).toBe('2507.35025')
  })

  test('without a configuration row /rate is 3750', () => {
    expect(measured({ measured: { rateBps: null } }).get('/rate')).toEqual({ midRateTZS: 3_750 })
  })
})

describe('routing of the measured venue', () => {
  const takenBy = (client: ModelClient, source: 'waas' | 'app' | 'ramp') =>
    [1, 2, 3, 4].map(() => {
      const before = client.model.state.ours.fillCount
      client.model.swap({ from: 'USDC', to: 'NTZS', amountIn: USDC, source })
      return client.model.state.ours.fillCount > before
    })

  test('gives the partner swap to the strictly lowest spread, and rotates app and ramp within 5 bps', () => {
    expect(takenBy(active({}, [rival('near', 48, 48)]), 'waas')).toEqual([false, false, false, false])
    expect(takenBy(active({}, [rival('near', 52, 52)]), 'waas')).toEqual([true, true, true, true])
    expect(takenBy(active({}, [rival('near', 48, 48)]), 'app').filter(Boolean)).toHaveLength(2)
    expect(takenBy(active({}, [rival('near', 48, 48)]), 'ramp').filter(Boolean)).toHaveLength(2)
  })

  test('by the ramp ignores inventory', () => {
    const client = active({ opening: { NTZS: '10' } })
    const wish = { from: 'USDC', to: 'NTZS', amountIn: USDC } as const
    expect(client.model.swap({ ...wish, source: 'app' }).ok).toBe(false)
    expect(client.model.swap({ ...wish, source: 'ramp' }).ok).toBe(true)
  })

  test('no longer picks a suspended provider, and no answer shows why', () => {
    const client = active({}, [rival('far', 400, 400)])
    const answers = () =>
      ['/account', '/balances', '/quote?fromToken=USDC&toToken=NTZS&amount=1'].map((path) => client.get(path))
    const before = answers()
    client.model.inject({ suspended: true })
    expect(answers()).toEqual(before)
    expect(takenBy(client, 'waas')).toEqual([false, false, false, false])
    expect(client.get('/api/v1/swap/rate?from=USDC&to=NTZS&amount=1')).toMatchObject({ askBps: 400 })
  })
})

test('a hundred and more requests to the LP API in a minute are answered', () => {
  const { ask } = measured({ requestsPerMinute: 60 })
  expect([...Array(100).keys()].map(() => ask('GET', '/rate').status)).not.toContain(429)
})

test('the option of the observed dialect is refused with the option that took its place', () => {
  const parsed = SandboxOptionsSchema.safeParse({ dialect: 'observed' })
  expect(parsed.error?.issues.map(({ message }) => message)).toEqual([
    'the dialect observed is gone: --venue measured simulates the measured venue',
  ])
  expect(SandboxOptionsSchema.parse({ dialect: 'contract' }).venue).toBe('contract')
})
