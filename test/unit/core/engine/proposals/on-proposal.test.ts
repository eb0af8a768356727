import { describe, expect, test } from 'vitest'
import {
  type ProposalOrder,
  EXPIRES_AFTER_MS,
  MOST_OPEN,
  MOST_SETTLED,
} from '../../../../../src/core/engine/model/proposal-state.ts'
import { RARE_POLLS } from '../../../../support/core-config.ts'
import { type Harness, runCore } from '../../../../support/core-harness.ts'
import { USDC } from '../../../../support/taker.ts'
import { refused } from '../../../../support/answers.ts'

type Add = Extract<ProposalOrder, { name: 'add' }>
const WIDER: Add = {
  name: 'add',
  id: '0000000000000001',
  action: { kind: 'configuration', changes: { 'strategy.params.bidBps': 55 } },
  differences: [{ what: 'strategy.params.bidBps', from: '60', to: '55' }],
  claim: 'it earns more',
}
const add = (n: number, change: Partial<Add> = {}): Add => ({
  ...WIDER,
  id: n.toString(16).padStart(16, '0'),
  ...change,
})

function desk(): Harness {
  return runCore(20_000, { config: { pacing: RARE_POLLS } })
}

function give(one: Harness, order: ProposalOrder, who = 'reader (assistant)', why = 'because') {
  one.give({ type: 'proposal', t: one.now, who, why, order })
  const said = one.observations.findLast(({ type }) => type === 'operator')
  if (said?.type !== 'operator') throw new Error('the core says nothing')
  return said
}
const stages = (one: Harness) => (one.state().proposals?.all ?? []).map(({ stage }) => stage)

describe('a proposal', () => {
  test('is kept with who asked and what it would change, is announced, and changes nothing else', () => {
    const one = desk()
    const before = { ...one.state() }
    const effects = one.effects.length
    expect(give(one, WIDER)).toMatchObject({
      who: 'reader (assistant)',
      command: 'addProposal',
      accepted: true,
      answer: expect.stringContaining('nothing is changed'),
    })
    expect(one.state().proposals?.all).toMatchObject([
      { id: WIDER.id, stage: 'open', who: 'reader (assistant)', why: 'because', settledBy: null },
    ])
    expect(one.effects.length).toBe(effects)
    for (const slice of ['config', 'approvedTarget', 'decision', 'latch', 'withdrawals', 'book'] as const)
      expect([slice, one.state()[slice]]).toEqual([slice, before[slice]])
  })

  test('is accepted once, and how its command went is kept', () => {
    const one = desk()
    give(one, WIDER)
    expect(give(one, { name: 'accept', id: WIDER.id }, 'ann')).toMatchObject({ accepted: true })
    expect(give(one, { name: 'accept', id: WIDER.id }, 'bob')).toMatchObject(refused('is already accepted'))
    give(one, { name: 'close', id: WIDER.id, isDone: false, outcome: 'not reloaded' }, 'ann')
    expect(one.state().proposals?.all).toMatchObject([
      { stage: 'failed', settledBy: 'ann', outcome: 'not reloaded' },
    ])
    expect(give(one, { name: 'reject', id: WIDER.id })).toMatchObject({ accepted: false })
  })

  test('that a person rejects, or that no one knows, is carried out by no one', () => {
    const one = desk()
    give(one, WIDER)
    expect(give(one, { name: 'reject', id: WIDER.id }, 'ann', 'too tight')).toMatchObject({ accepted: true })
    expect(one.state().proposals?.all).toMatchObject([{ stage: 'rejected', outcome: 'too tight' }])
    for (const name of ['accept', 'reject'] as const) {
      expect(give(one, { name, id: WIDER.id })).toMatchObject({ accepted: false })
      expect(give(one, { name, id: 'ffffffffffffffff' })).toMatchObject(
        refused('no proposal ffffffffffffffff'),
      )
    }
    expect(give(one, { name: 'close', id: WIDER.id, isDone: true, outcome: '' })).toMatchObject({
      accepted: false,
    })
  })

  test('expires after a day by itself, is announced then, and can no longer be accepted', () => {
    const one = desk()
    give(one, WIDER)
    one.run(EXPIRES_AFTER_MS - 60_000)
    expect(stages(one)).toEqual(['open'])
    one.run(120_000)
    expect(stages(one)).toEqual(['expired'])
    const said = one.observations.filter(
      (told) => told.type === 'operator' && told.command === 'expireProposal',
    )
    expect(said).toMatchObject([{ who: 'mizani', accepted: true }])
    expect(give(one, { name: 'accept', id: WIDER.id }, 'ann')).toMatchObject({ accepted: false })
  })

  test('of a flood only ten are kept, and one more is taken for each that a person settles', () => {
    const one = desk()
    for (let n = 1; n <= MOST_OPEN; n++) expect(give(one, add(n))).toMatchObject({ accepted: true })
    expect(give(one, add(50))).toMatchObject(refused('10 proposals are already waiting'))
    give(one, { name: 'reject', id: add(3).id }, 'ann')
    expect(give(one, add(51))).toMatchObject({ accepted: true })
    expect(stages(one).filter((stage) => stage === 'open')).toHaveLength(MOST_OPEN)
  })

  test('of one token only three wait, whatever its bearer calls itself, and proposals of other tokens are still accepted', () => {
    const one = desk()
    const from = (n: number, token: string) => give(one, add(n, { token }), `${token} (client ${n})`)
    for (let n = 1; n <= 3; n++) expect(from(n, 'reader')).toMatchObject({ accepted: true })
    expect(from(4, 'reader')).toMatchObject(refused('3 proposals of reader are already waiting'))
    expect(from(5, 'reader-2')).toMatchObject({ accepted: true })
    give(one, { name: 'reject', id: add(2).id }, 'ann')
    expect(from(6, 'reader')).toMatchObject({ accepted: true })
  })

  test('that is settled is remembered among the latest thirty', () => {
    const one = desk()
    for (let n = 1; n <= MOST_SETTLED + 10; n++) {
      give(one, add(n))
      give(one, { name: 'reject', id: add(n).id }, 'ann')
    }
    expect(one.state().proposals?.all).toHaveLength(MOST_SETTLED)
    expect(one.state().proposals?.all.at(-1)?.id).toBe(add(MOST_SETTLED + 10).id)
  })

  test('that is too large, has a known id, or sends tokens where the configuration forbids it is refused', () => {
    const one = desk()
    give(one, WIDER)
    expect(give(one, WIDER)).toMatchObject(refused('already'))
    expect(give(one, add(2, { claim: 'x'.repeat(9_000) }))).toMatchObject(refused('at most 8192 characters'))
    const toAddress = '0x7000000000000000000000000000000000000007'
    const action = { kind: 'withdrawal', asset: 'USDC', amount: 5n * USDC, toAddress } as const
    expect(give(one, add(3, { action }))).toMatchObject(refused('configuration forbids this'))
    expect(stages(one)).toEqual(['open'])
  })
})
