import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { NoticesAnswer } from '../../../src/daemon/console/answers.ts'
import { freePort } from '../../support/free-port.ts'
import { replayStore } from '../daemon/replay-store.ts'
import { runMizani } from '../daemon/run-mizani.ts'
import type { ProposalView } from '../../../src/daemon/view/proposal-view.ts'
import { openTreasuryMarket, TREASURY_ENV } from '../treasury/open-treasury-market.ts'
import { until } from '../daemon/until.ts'
import { HTTP_TOKEN, type RunningDaemon } from '../daemon/running-daemon.ts'
import { openLyingMarket, stateWhere, trading, type LyingMarket } from '../lying-venue/lying-market.ts'
import { overHttp, overStdio, READ_TOKEN, type AssistantClient } from './open-client.ts'

const TO = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const THIEF = '0x1111111111111111111111111111111111111111'
const WHY = 'the person who talks to me asked for it'

async function sections() {
  const http = { port: await freePort(), token: '!env MIZANI_HTTP_TOKEN', readToken: '!file reader' }
  return { http, withdraw: { enabled: true, destinations: [TO], maxPerDay: { USDC: '100' } } }
}

async function proposed(assistant: AssistantClient, changes: object): Promise<string> {
  const { data, isError, text } = await assistant.call('propose_configuration', { changes, why: WHY })
  if (isError) throw new Error(text)
  return (data as { id: { untrusted: string } }).id.untrusted
}

const cli = (market: { readonly config: string }, ...args: readonly string[]) =>
  runMizani(['proposals', ...args, '--config', market.config], TREASURY_ENV)

describe('what an assistant proposes', { timeout: 180_000 }, () => {
  let market: LyingMarket
  let daemon: RunningDaemon
  let stdio: AssistantClient
  let http: AssistantClient

  beforeAll(async () => {
    market = await openLyingMarket({}, await sections())
    market.folder.write('reader', READ_TOKEN)
    daemon = market.start()
    await trading(market, daemon)
    ;[stdio, http] = await Promise.all([overStdio(market.config), overHttp(market.config)])
  })

  afterAll(() => market.close())

  const proposals = async () => {
    const { body } = await daemon.get('/api/v1/proposals')
    return (body as { proposals: readonly ProposalView[] }).proposals
  }
  const operatorNotices = async () =>
    ((await daemon.get('/api/v1/notices?kind=operator&limit=100')).body as NoticesAnswer).notices

  test('never widens a limit, and sends nothing to a destination that is not listed', async () => {
    for (const changes of [
      { 'quote.safeBps': 20 },
      { 'risk.maxMidAgeMs': 1 },
      { 'risk.priceCorridor': { min: '1', max: '2' } },
      { 'withdraw.destinations': [THIEF] },
      { 'strategy.use': './evil.ts' },
      {},
    ]) {
      const { isError, text } = await stdio.call('propose_configuration', { changes, why: WHY })
      expect([changes, isError, text.includes('"id"')]).toEqual([changes, true, false])
    }
    const toThief = { asset: 'USDC', amount: '1', toAddress: THIEF, why: WHY }
    expect((await stdio.call('propose_withdrawal', toThief)).text).toContain(
      'not among withdraw.destinations',
    )
    expect(
      (await stdio.call('propose_payout', { payee: 'x', asset: 'USDC', amount: '1', why: WHY })).text,
    ).toContain('no treasury')
    expect(await proposals()).toEqual([])

    const right = await stdio.call('propose_withdrawal', { ...toThief, toAddress: TO })
    const id = (right.data as { id: { untrusted: string } }).id.untrusted
    expect(await daemon.post('proposals/accept', { id }, READ_TOKEN)).toMatchObject({ status: 403 })
    expect((await daemon.state()).withdrawals).toEqual([])
    // The same rules as for a withdrawal without a proposal: tokens leave from the wallet.
    const accepted = await daemon.post('proposals/accept', { id }, HTTP_TOKEN)
    const order = { asset: 'USDC', amount: '1', toAddress: TO, why: 'without a proposal' }
    const direct = await daemon.post('withdraw', order, HTTP_TOKEN, { 'idempotency-key': 'direct' })
    const answer = 'withdrawals leave from the wallet: deactivate first, and wait until the tokens are back'
    for (const { status, body } of [accepted, direct])
      expect([status, body]).toEqual([409, expect.objectContaining({ accepted: false, answer })])
    expect((await daemon.post('proposals/accept', { id }, HTTP_TOKEN)).status).toBe(409)
  })

  test.each([
    ['standard input and output', () => stdio, 60, 45],
    ['HTTP', () => http, 45, 50],
  ] as const)(
    'over %s waits for a person, who sees the difference and accepts it on the command line',
    async (_, assistant, before, after) => {
      const known = (await operatorNotices()).length
      const id = await proposed(assistant(), { 'strategy.params.bidBps': after })
      const open = await cli(market, 'list')
      expect(open.out).toContain(`strategy.params.bidBps: ${before} -> ${after}`)
      expect(open.out).toMatch(/bid\/ask bps: \S+ -> \S+/)
      expect(open.out).toContain('the proposer claims')
      expect((await daemon.state()).strategy.params).toMatchObject({ bidBps: before })

      const accepted = await cli(market, 'accept', id, '--reason', 'fine')
      expect([accepted.code, accepted.out]).toEqual([0, expect.stringContaining('reloaded')])
      await stateWhere(daemon, 'the new quote stands', ({ quote }) => quote.bidBps === after)
      expect((await cli(market, 'accept', id)).code).toBe(3)
      expect((await assistant().call('list_proposals', { stage: 'done' })).text).toContain(id)
      const notices = await operatorNotices()
      const texts = notices.slice(0, notices.length - known).map(({ text }) => text)
      expect(texts).toContainEqual(expect.stringMatching(/reader \(assistant[^)]*\): addProposal accepted/))
      expect(texts).toContainEqual(
        expect.stringMatching(/accepted \(proposal [0-9a-f]{16} of reader \(assistant[^)]*\): fine\)/),
      )
    },
  )

  test('of a flood by one token three are kept, a restart keeps them, and one that a person rejects changes nothing; a replay is equal', async () => {
    const one = { asset: 'USDC', amount: '1', toAddress: TO, why: WHY }
    const settled = (await proposals()).length
    const { withdrawals } = await daemon.state()
    const answers = []
    for (let n = 0; n < 14; n++) answers.push(await http.call('propose_withdrawal', one))
    expect(answers.map(({ isError }) => isError).filter(Boolean)).toHaveLength(11)
    expect(answers.at(-1)?.text).toContain('3 proposals')
    await daemon.kill('SIGKILL')
    daemon = market.start()
    await stateWhere(daemon, 'it trades again', ({ tradingState, quote }) => {
      return tradingState === 'ACTIVE' && quote.status === 'confirmed'
    })
    const kept = await proposals()
    const waiting = kept.filter(({ stage }) => stage === 'open')
    expect([waiting.length, kept.length]).toEqual([3, settled + 3])
    const rejected = await cli(market, 'reject', waiting[0]?.id ?? '', '--reason', 'no', '--json')
    expect(rejected.code).toBe(0)
    expect((await daemon.state()).withdrawals).toEqual(withdrawals)
    await Promise.all([stdio.close(), http.close()])
    await daemon.kill('SIGTERM')
    expect(await replayStore(market.config)).toMatchObject({ equal: true, warnings: [] })
  })

  test('a plan of the treasury and a withdrawal wait with their difference and who asked, and only a person who may moves money', async () => {
    // One token has to approve, and nothing is free.
    await using market = await openTreasuryMarket(
      { approval: { people: 1, coolOffMs: 0 } },
      {},
      await sections(),
    )
    market.folder.write('reader', READ_TOKEN)
    const daemon = market.start()
    const planned = await until('a refill is planned', () =>
      Object.values(market.state()?.intents ?? {}).find(
        ({ needsApproval, endedAt }) => needsApproval && endedAt === null,
      ),
    )
    const assistant = await overStdio(market.config)
    const idOf = async (tool: string, args: object) => {
      const { data, text } = await assistant.call(tool, { ...args, why: WHY })
      const id = (data as { id?: { untrusted: string } } | null)?.id?.untrusted
      if (id === undefined) throw new Error(text)
      return id
    }
    expect((await assistant.call('get_treasury', { sections: ['intents'] })).text).toContain(planned.id)
    const plan = await idOf('propose_treasury_approval', { intent: planned.id })
    const leaving = await idOf('propose_withdrawal', { asset: 'USDC', amount: '25.5', toAddress: TO })
    const other = await idOf('propose_withdrawal', { asset: 'USDC', amount: '99', toAddress: TO })

    const waiting = await cli(market, 'list')
    expect(waiting.out).toContain(`approval of intent ${planned.id}: `)
    expect(waiting.out).toContain(`-> 25.5 USDC to ${TO}`)
    expect(waiting.out).toMatch(/reader \(assistant [^)]*\): the person/)
    const shown = (await daemon.get('/api/v1/proposals')).body as { proposals: readonly ProposalView[] }
    expect(shown.proposals.map(({ id, kind, stage, needs }) => [id, kind, stage, needs])).toEqual([
      [plan, 'approval', 'open', 'approve'],
      [leaving, 'withdrawal', 'open', 'withdraw'],
      [other, 'withdrawal', 'open', 'withdraw'],
    ])
    for (const id of [plan, leaving])
      expect(await daemon.post('proposals/accept', { id }, READ_TOKEN)).toMatchObject({ status: 403 })
    expect(await daemon.post('proposals/reject', { id: plan }, READ_TOKEN)).toMatchObject({ status: 403 })
    expect(market.events().some((event) => JSON.stringify(event, bigintText).includes('"approve"'))).toBe(
      false,
    )
    expect(await daemon.state()).toMatchObject({ withdrawals: [] })

    expect(await cli(market, 'accept', plan, '--reason', 'agreed')).toMatchObject({ code: 0 })
    expect(market.events()).toContainEqual(
      expect.objectContaining({
        type: 'ordered',
        order: expect.objectContaining({ name: 'approve', intent: planned.id }),
        by: 'operator',
        who: expect.stringMatching(/^operator \(.*command line\)\)$/),
        refusal: null,
      }),
    )
    await until('the refill moves', () =>
      market.state()?.intents[planned.id]?.legs.some(({ stage }) => stage !== 'planned'),
    )
    expect(await cli(market, 'reject', other, '--reason', 'too much')).toMatchObject({ code: 0 })

    // Tokens leave from the wallet, so the position leaves the market first.
    expect((await daemon.post('deactivate', { now: true })).status).toBe(200)
    await stateWhere(daemon, 'the position is out of the market', ({ isActive }) => isActive === false)
    const accepted = await daemon.post('proposals/accept', { id: leaving, who: 'ann' })
    expect(accepted).toMatchObject({ status: 200, body: { accepted: true } })
    const { body } = await daemon.get('/api/v1/proposals')
    expect((body as typeof shown).proposals.map(({ stage, settledBy }) => [stage, settledBy])).toEqual([
      ['done', expect.stringMatching(/^operator \(.*command line\)\)$/)],
      ['done', 'operator (ann)'],
      ['rejected', expect.stringMatching(/^operator \(.*command line\)\)$/)],
    ])
    await until('25.5 USDC have left for the address, once', () => {
      const left = market.venue.model.state.ours.transfers.filter(({ kind }) => kind === 'withdrawal')
      expect(left.length).toBeLessThan(2)
      return left[0]?.amount === 25_500_000n && left[0].to === TO
    })
    const notices = (await daemon.get('/api/v1/notices?kind=operator&limit=100')).body as NoticesAnswer
    const words = notices.notices.map(({ text }) => text).join('\n')
    expect(words).toMatch(/operator \(ann\): acceptProposal accepted/)
    expect(words).toMatch(/\(proposal [0-9a-f]{16} of reader \(assistant test\): /)
    await assistant.close()
    await daemon.kill('SIGTERM')
    expect(await replayStore(market.config, TREASURY_ENV)).toMatchObject({ equal: true, warnings: [] })
  })
})

function bigintText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
