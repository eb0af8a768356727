import { describe, expect, test } from 'vitest'
import { sharedOperator, type Credential } from '../../../../../src/daemon/console/auth/credentials.ts'
import { PROPOSAL_ANSWERS } from '../../../../../src/daemon/console/proposals/proposal-bodies.ts'
import { MOST_PROPOSED_AN_HOUR } from '../../../../../src/daemon/console/proposals/proposal-routes.ts'
import type { PositionPort, ProposalAsk } from '../../../../../src/daemon/console/position-port.ts'
import type { Proposal, ProposedAction } from '../../../../../src/core/engine/model/proposal-state.ts'
import { consoleOf, position } from '../console-fixture.ts'

const ID = '0123456789abcdef'
const TO = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const PEOPLE: readonly Credential[] = [
  { name: 'anna', token: 'anna-token', may: ['read', 'operate'], isShared: false },
  { name: 'bertha', token: 'bertha-token', may: ['read', 'withdraw', 'approve'], isShared: false },
  { name: 'reader', token: 'reader-token', may: ['read'], isShared: false },
  sharedOperator('shared-token'),
]
const as = (name: string) => ({ authorization: `Bearer ${name}-token` })
const WIDER: ProposedAction = { kind: 'configuration', changes: { 'strategy.params.bidBps': 55 } }
const LEAVING: ProposedAction = { kind: 'withdrawal', asset: 'USDC', amount: 5_000_000n, toAddress: TO }

function proposal(action: ProposedAction): Proposal {
  return {
    id: ID,
    action,
    claim: 'a claim',
    who: 'reader (assistant x)',
    why: 'so',
    at: 1,
    expiresAt: 2,
    differences: [{ what: 'a', from: 'b', to: 'c' }],
    stage: 'open',
    settledBy: null,
    settledAt: null,
    outcome: null,
  }
}

/** A console whose position keeps one proposal, and all that was asked of it in order. */
async function desk(action: ProposedAction = WIDER, changes: Partial<PositionPort> = {}) {
  const asked: unknown[] = []
  let isTaken = false
  const { port, given } = position('desk-1', {
    proposals: async () => [proposal(action)],
    propose: async (ask: ProposalAsk, { id, token, who, why }) => {
      asked.push({ ask, id, token, who, why })
      return { accepted: true, answer: 'it waits' }
    },
    answerProposal: async (order, who) => {
      asked.push({ order, who })
      const isRefused = order.name === 'accept' && isTaken
      isTaken ||= order.name === 'accept'
      return { accepted: !isRefused, answer: isRefused ? 'it is accepted already' : 'noted' }
    },
    treasuryOrder: async (order, by, who) => {
      asked.push({ treasury: order, by, who })
      return { accepted: true, answer: 'approved' }
    },
    ...changes,
  })
  const { ask, errors } = await consoleOf({ positions: [port], credentials: PEOPLE })
  const post = (path: string, body: unknown, who = 'anna') =>
    ask(`/api/v1/proposals${path}`, { method: 'POST', headers: as(who), body })
  return { ask, post, asked, given, errors }
}

const WISH = { why: 'more flow', action: { kind: 'configuration', changes: { 'quote.safeBps': 600 } } }

describe('proposing', () => {
  test('is open to every token that reads, keeps both names, and gives no command', async () => {
    const { post, asked, given } = await desk()
    const answer = await post('', { ...WISH, who: 'assistant x', claim: 'much' }, 'reader')
    expect(answer.status).toBe(200)
    expect(PROPOSAL_ANSWERS.answer.parse(answer.json())).toMatchObject({ accepted: true, answer: 'it waits' })
    expect(asked).toEqual([
      {
        ask: { action: WISH.action, claim: 'much' },
        id: answer.json()['id'],
        token: 'reader',
        who: 'reader (assistant x)',
        why: 'more flow',
      },
    ])
    expect(given).toEqual([])
  })

  test('needs a token also on loopback, where reads are open', async () => {
    const { ask, asked } = await desk()
    expect((await ask('/api/v1/proposals')).status).toBe(200)
    expect((await ask('/api/v1/proposals', { method: 'POST', body: WISH })).status).toBe(401)
    expect(asked).toEqual([])
  })

  test('is refused in words where it is of no known kind, has no reason, or is too large', async () => {
    const { post, asked } = await desk()
    const wrong = [
      {},
      { ...WISH, why: '' },
      { why: 'so', action: { kind: 'halt' } },
      { ...WISH, action: { ...WISH.action, file: '/etc/passwd' } },
      { why: 'so', action: { kind: 'withdrawal', asset: 'USDC', amount: '1', toAddress: '0x1' } },
      { why: 'so', action: { kind: 'withdrawal', asset: 'USDC', amount: '1e3', toAddress: TO } },
      { why: 'so', action: { kind: 'withdrawal', asset: 'USDC', amount: '0', toAddress: TO } },
      { why: 'so', action: { kind: 'payout', payee: 'x', asset: 'USDT.bnb', amount: '1' } },
      { why: 'so', action: { kind: 'approval', intent: '../x' } },
    ]
    for (const body of wrong) expect([body, (await post('', body)).status]).toEqual([body, 400])
    expect((await post('', { ...WISH, claim: 'x'.repeat(20_000) })).status).toBe(413)
    expect(asked).toEqual([])
  })

  test('is refused in words once a token has proposed thirty times within an hour; others are not', async () => {
    const { post, asked } = await desk()
    for (let n = 0; n < MOST_PROPOSED_AN_HOUR; n++) expect((await post('', WISH, 'reader')).status).toBe(200)
    const refused = await post('', WISH, 'reader')
    expect([refused.status, refused.json()['error']]).toEqual([429, 'too-many-proposals'])
    expect((await post('', WISH, 'anna')).status).toBe(200)
    expect(asked).toHaveLength(MOST_PROPOSED_AN_HOUR + 1)
  })
})

describe('answering a proposal', () => {
  test('shows each with its differences, what a token must be allowed to do, and who reads and who may accept it', async () => {
    const { ask } = await desk(LEAVING)
    const list = PROPOSAL_ANSWERS.list.parse((await ask('/api/v1/proposals')).json())
    expect(list.proposals).toMatchObject([
      {
        id: ID,
        kind: 'withdrawal',
        needs: 'withdraw',
        readers: ['anna', 'bertha', 'reader', 'operator'],
        approvers: ['bertha', 'operator'],
        differences: [{ what: 'a', from: 'b', to: 'c' }],
      },
    ])
  })

  test('accepting gives the reload with the name of who accepts, once, and notes how it went', async () => {
    const { post, asked, given } = await desk()
    const answers = await Promise.all([1, 2].map(() => post('/accept', { id: ID, why: 'fine' })))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    expect(given).toEqual([
      {
        command: {
          name: 'reload',
          by: 'anna',
          changes: { 'strategy.params.bidBps': 55 },
          fromFile: false,
        },
        who: 'anna',
        why: `proposal ${ID} of reader (assistant x): fine`,
      },
    ])
    expect(asked).toContainEqual({
      order: { name: 'close', id: ID, isDone: true, outcome: 'reload it is' },
      who: 'anna',
    })
  })

  test('accepting a withdrawal requests it in the name of who accepts, under a key of the proposal', async () => {
    const { post, given } = await desk(LEAVING)
    expect((await post('/accept', { id: ID }, 'bertha')).status).toBe(200)
    expect(given).toMatchObject([
      {
        command: { name: 'withdraw', amount: 5_000_000n, key: `proposal-${ID}`, by: 'bertha' },
        who: 'bertha',
      },
    ])
  })

  test('accepting an approval or a payout is the order to the treasury with the own token', async () => {
    const approval = await desk({ kind: 'approval', intent: 'aa', envelope: '{}' })
    expect((await approval.post('/accept', { id: ID }, 'bertha')).status).toBe(200)
    expect(approval.asked).toContainEqual({
      treasury: { name: 'approve', intent: 'aa', envelope: '{}' },
      by: 'bertha',
      who: 'bertha',
    })
    const payout = await desk({ kind: 'payout', payee: 'landlord', asset: 'NTZS', amount: 5n })
    expect((await payout.post('/accept', { id: ID }, 'bertha')).status).toBe(200)
    expect(payout.asked).toContainEqual(
      expect.objectContaining({ treasury: expect.objectContaining({ name: 'payout', payee: 'landlord' }) }),
    )
  })

  test('a token accepts what it may do without a proposal, and nothing else', async () => {
    for (const [action, who] of [
      [LEAVING, 'anna'],
      [WIDER, 'bertha'],
      [WIDER, 'reader'],
      [{ kind: 'approval', intent: 'aa', envelope: '{}' }, 'anna'],
    ] as const) {
      const { post, asked, given } = await desk(action)
      const { status, json } = await post('/accept', { id: ID }, who)
      expect([status, json()['error']]).toEqual([403, 'not-permitted'])
      expect([asked, given]).toEqual([[], []])
    }
  })

  test('a command that is refused is the answer, and the proposal notes that it failed', async () => {
    const { post, asked } = await desk(WIDER, {
      command: async () => ({ accepted: false, answer: 'not reloaded: the file is broken' }),
    })
    const { status, json } = await post('/accept', { id: ID })
    expect([status, json()['answer']]).toEqual([409, 'not reloaded: the file is broken'])
    expect(asked).toContainEqual({
      order: { name: 'close', id: ID, isDone: false, outcome: 'not reloaded: the file is broken' },
      who: 'anna',
    })
  })

  test('an unknown proposal, a silent position and a rejection change nothing', async () => {
    const { post, given } = await desk()
    const unknown = await post('/accept', { id: 'ffffffffffffffff' })
    expect([unknown.status, unknown.json()['answer']]).toEqual([
      409,
      expect.stringContaining('no proposal ffffffffffffffff'),
    ])
    expect((await post('/reject', { id: ID, why: 'no' })).status).toBe(200)
    expect((await post('/reject', { id: ID }, 'reader')).status).toBe(403)
    const silent = await desk(WIDER, { proposals: async () => null })
    expect((await silent.post('/accept', { id: ID })).status).toBe(503)
    expect((await silent.ask('/api/v1/proposals')).status).toBe(503)
    expect([given, silent.given]).toEqual([[], []])
  })
})
