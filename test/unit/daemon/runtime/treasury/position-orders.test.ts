import { describe, expect, test } from 'vitest'
import type { OperatorCommand } from '../../../../../src/core/engine/model/event.ts'
import { createReconciliation } from '../../../../../src/core/ledger/reconciliation/state.ts'
import type { EngineState } from '../../../../../src/core/engine/model/state.ts'
import { zeroAmounts } from '../../../../../src/base/money/asset.ts'
import { orderPosition } from '../../../../../src/daemon/runtime/treasury/position-orders.ts'
import type { PositionOrder } from '../../../../../src/treasury/model/effect.ts'
import type { Intent, Leg } from '../../../../../src/treasury/model/intent.ts'

const TOKEN = 10n ** 18n
const PLACE = { intent: 'an-intent', leg: 1, n: 1 }
const ADDRESS = '0x00000000000000000000000000000000000000aa'
const WITHDRAW = {
  name: 'withdraw',
  asset: 'NTZS',
  amount: 5n * TOKEN,
  key: 'k',
  approvedBy: ['anna'],
} as const
const ARRIVED = { kind: 'transfer', to: 'lpWallet', receiveAsset: 'NTZS', received: 9n * TOKEN }
const OUTSIDE = { kind: 'transfer', to: 'float', receiveAsset: 'USDC', received: 9n }

type Stage = EngineState['withdrawals']['requests'][number]['stage']
type Facts = {
  isActive: boolean | null
  wanted: boolean | null
  inFlight: object | null
  leaving: object | null
  wallet: bigint
  stage: Stage | null
}

/** A position whose state is `facts`, and which answers commands as `accepts` has it. */
function positionWith(
  change: Partial<Facts> = {},
  accepts: (command: OperatorCommand) => boolean = () => true,
) {
  const facts: Facts = {
    isActive: true,
    wanted: true,
    inFlight: null,
    leaving: null,
    wallet: 0n,
    stage: null,
    ...change,
  }
  const commands: OperatorCommand[] = []
  const whys: string[] = []
  return {
    facts,
    commands,
    whys,
    position: {
      state: () =>
        ({
          activation: facts,
          reconciliation: createReconciliation(),
          requests: {},
          book: { accounts: { wallet: { ...zeroAmounts(), NTZS: facts.wallet } } },
          withdrawals: {
            requests: facts.stage === null ? [] : [{ key: 'k', stage: facts.stage, amount: 5n * TOKEN }],
          },
        }) as unknown as EngineState,
      command(command: OperatorCommand, who: string, why = '') {
        commands.push(command)
        whys.push(`${who}: ${why}`)
        return { accepted: accepts(command), answer: `the answer to ${command.name}` }
      },
    },
  }
}

async function give(
  { position }: ReturnType<typeof positionWith>,
  order: PositionOrder,
  {
    before = OUTSIDE,
    address = ADDRESS,
    signal = new AbortController().signal,
    withinMs = 600,
    others = [],
  }: {
    before?: object
    address?: string | null
    signal?: AbortSignal
    withinMs?: number
    others?: readonly object[]
  } = {},
) {
  const intent = { id: 'an-intent', legs: [before, ...others] as unknown as Leg[] } as unknown as Intent
  const parts = { position, clock: { now: () => 7 }, treasuryAddress: () => address, signal, withinMs }
  return orderPosition(parts, PLACE, order, intent)
}

describe('a withdrawal to our own partner user', () => {
  test('is ordered with its key and those who approved it, and has ended once the venue confirmed it', async () => {
    const one = positionWith()
    const ended = give(one, WITHDRAW)
    one.facts.stage = 'done'
    expect(await ended).toMatchObject({
      ...PLACE,
      t: 7,
      type: 'legAnswered',
      status: 'completed',
      received: 5n * TOKEN,
    })
    expect(one.commands).toEqual([{ ...WITHDRAW, toAddress: ADDRESS, by: 'treasury' }])
    expect(one.whys).toEqual(['treasury: intent an-intent'])
  })

  test('is refused before anything is ordered while the wallet of our user was not read', async () => {
    const one = positionWith()
    expect(await give(one, WITHDRAW, { address: null })).toMatchObject({
      type: 'legRefused',
      isFirst: true,
      retry: 'backoff',
      words: expect.stringContaining('not read yet'),
    })
    expect(one.commands).toEqual([])
  })

  test.each<Stage>(['failed', 'cancelled', 'expired'])(
    'that has %s left nothing: the refusal proves it',
    async (stage) => {
      const refused = await give(positionWith({ stage }), WITHDRAW)
      expect(refused).toMatchObject({ type: 'legRefused', words: expect.stringContaining(`has ${stage}`) })
    },
  )

  test('whose outcome the position does not know is silent at once: it may have left', async () => {
    const silent = await give(positionWith({ stage: 'unknown' }), WITHDRAW, { withinMs: 600_000 })
    expect(silent).toMatchObject({ type: 'legSilent', sent: 'maybe' })
  })

  test('that the position refuses because it waits for that very key is silent, and any other refusal is one', async () => {
    const isRefused = () => false
    const waits = positionWith({ stage: 'unknown' }, isRefused)
    expect(await give(waits, WITHDRAW)).toMatchObject({
      type: 'legSilent',
      sent: 'maybe',
      words: 'the answer to withdraw',
    })
    expect(await give(positionWith({}, isRefused), WITHDRAW)).toMatchObject({
      type: 'legRefused',
      code: 'position_refused',
      words: expect.stringContaining('withdraw'),
    })
  })

  test('that is not decided in time is silent, and so is one whose daemon ends', async () => {
    const words = 'the position has not confirmed it: withdraw'
    expect(await give(positionWith(), WITHDRAW, { withinMs: 250 })).toMatchObject({
      type: 'legSilent',
      words,
    })
    const signal = AbortSignal.abort()
    expect(await give(positionWith(), WITHDRAW, { signal, withinMs: 60_000 })).toMatchObject({
      type: 'legSilent',
    })
  })
})

describe('an activation after tokens came into the LP wallet', () => {
  const activate = { name: 'activate' } as const

  test('books them as a top-up first; a position in the market then sweeps by itself', async () => {
    const one = positionWith({ wallet: 9n * TOKEN })
    const ended = give(one, activate, { before: ARRIVED })
    one.facts.wallet = 0n
    expect(await ended).toMatchObject({
      type: 'legAnswered',
      received: 9n * TOKEN,
      words: 'swept into the pool',
    })
    expect(one.commands).toEqual([{ name: 'topUp', asset: 'NTZS', amount: 9n * TOKEN, key: 'an-intent-1' }])
  })

  test('leaves a position out of the market there: the tokens are in its wallet', async () => {
    const one = positionWith({ isActive: false, wanted: false, wallet: 9n * TOKEN })
    expect(await give(one, activate, { before: ARRIVED })).toMatchObject({
      type: 'legAnswered',
      received: 9n * TOKEN,
      words: 'in the LP wallet: the position is out of the market',
    })
    expect(one.commands.map(({ name }) => name)).toEqual(['topUp'])
  })

  test('is refused with the words of a top-up that is refused, and orders nothing else', async () => {
    const one = positionWith({}, ({ name }) => name !== 'topUp')
    expect(await give(one, activate, { before: ARRIVED })).toMatchObject({
      type: 'legRefused',
      words: 'the answer to topUp',
    })
    expect(one.commands).toHaveLength(1)
  })

  test.each([
    ['that went elsewhere', OUTSIDE],
    ['of which nothing is known to have arrived', { ...ARRIVED, received: null }],
    ['by another kind of step', { ...ARRIVED, kind: 'swap' }],
  ])('books no top-up of a movement %s', async (_what, before) => {
    const one = positionWith()
    await give(one, activate, { before })
    expect(one.commands.filter(({ name }) => name === 'topUp')).toEqual([])
  })

  test('of dollars that a ramp brought books those', async () => {
    const one = positionWith()
    await give(one, activate, { before: { ...ARRIVED, kind: 'onramp', receiveAsset: 'USDC', received: 4n } })
    expect(one.commands).toMatchObject([{ name: 'topUp', asset: 'USDC', amount: 4n }])
  })
})

describe('in and out of the market', () => {
  const [activate, deactivate] = [{ name: 'activate' }, { name: 'deactivate' }] as const

  test('a deactivation is ordered and has ended once the position is out, however long the venue takes', async () => {
    const one = positionWith()
    const ended = give(one, deactivate, { withinMs: 600_000 })
    one.facts.isActive = false
    let looks = 0
    Object.defineProperty(one.facts, 'inFlight', { get: () => ((looks += 1) < 3 ? {} : null) })
    expect(await ended).toMatchObject({ type: 'legAnswered', received: null, words: 'out of the market' })
    expect(one.commands).toEqual([{ ...deactivate, insists: true }])
  })

  test('a deactivation of an inactive account has not ended while the wallet does not show what came back', async () => {
    const one = positionWith({ isActive: false, leaving: {} })
    const silent = await give(one, deactivate, { withinMs: 400 })
    expect([silent.type, one.commands.length]).toEqual(['legSilent', 1])
    const ended = give(one, deactivate, { withinMs: 600_000 })
    one.facts.leaving = null
    expect(await ended).toMatchObject({ type: 'legAnswered', words: 'out of the market' })
  })

  test('a position that was out already is not ordered out, and the activation after it leaves it there', async () => {
    const one = positionWith({ isActive: false, wanted: false })
    const out = await give(one, deactivate)
    expect(out).toMatchObject({ type: 'legAnswered', words: expect.stringContaining('already') })
    const why = out.type === 'legAnswered' ? out.words : ''
    const others = [{ kind: 'lpDeactivation', why }]
    expect(await give(one, activate, { others })).toMatchObject({
      words: expect.stringContaining('in the LP wallet'),
    })
    expect(one.commands).toEqual([])
  })

  test('one that was brought out is brought back, and one that is on its way back needs no order', async () => {
    const out = positionWith({ isActive: false, wanted: false })
    const ended = give(out, activate)
    Object.assign(out.facts, { isActive: true, wanted: true })
    expect(await ended).toMatchObject({ words: expect.stringContaining('swept'), received: null })
    expect(out.commands).toEqual([activate])
    const back = positionWith()
    await give(back, activate)
    expect(back.commands).toEqual([])
  })

  test('an active position with a pending deactivation is ordered to stay active', async () => {
    const one = positionWith({ isActive: true, wanted: false })
    await give(one, activate)
    expect(one.commands).toEqual([activate])
  })

  test('a refused activation is a refusal that may be repeated', async () => {
    const one = positionWith({ isActive: false }, () => false)
    expect(await give(one, activate)).toMatchObject({
      type: 'legRefused',
      retry: 'backoff',
      words: 'the answer to activate',
    })
  })
})
