import { describe, expect, test } from 'vitest'
import type { VenueAnswer } from '../../../src/core/engine/model/event.ts'
import { interpret } from '../../../src/venue/interpret.ts'
import { createFillsWindow } from '../../../src/venue/fills-window.ts'
import { outcomeEvent } from '../../../src/venue/perform.ts'
import { readiness } from '../../../src/daemon/view/position-view.ts'
import { type Asset, ASSETS } from '../../../src/base/money/asset.ts'
import { expectNoFalseFigure, recordedAnswers } from '../../unit/venue/answer-figures.ts'
import { callsWith, valueOf } from '../../unit/venue/read-answer.ts'
import { coreConfig } from '../../support/core-config.ts'
import { coreHarness } from '../../support/core-harness.ts'

type Path = readonly string[]
type Change = {
  readonly how: 'removed' | 'null' | 'renamed' | 'retyped'
  readonly path: Path
  readonly text: string
}

/** TypeScript's own type of JSON does not know it: the digits as they are. */
const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => unknown }

/** Number for string, string for number, integer for boolean; text for anything else. */
function retyped(value: unknown): unknown {
  if (typeof value === 'string') return /^\d+(?:\.\d+)?$/.test(value) ? rawJSON(value) : 7
  if (typeof value === 'number') return String(value)
  if (typeof value === 'boolean') return value ? 1 : 0
  return 'text'
}

/** Every field of a body, at every depth, changed in each way. */
function changesOf(body: unknown): readonly Change[] {
  const found: Change[] = []
  const visit = (value: unknown, path: Path): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [name, inner] of Object.entries(value)) {
      const at = [...path, name]
      const change = (how: Change['how'], alter: (fields: Record<string, unknown>) => void) => {
        const copy = structuredClone(body) as Record<string, unknown>
        let place = copy
        for (const step of path) place = place[step] as Record<string, unknown>
        alter(place)
        found.push({ how, path: at, text: JSON.stringify(copy) })
      }
      if (!Array.isArray(value)) {
        change('removed', (fields) => delete fields[name])
        change('renamed', (fields) => {
          fields[`${name}Renamed`] = inner
          delete fields[name]
        })
      }
      change('null', (fields) => void (fields[name] = null))
      // Another id is another fill.
      if (name !== 'id') change('retyped', (fields) => void (fields[name] = retyped(inner)))
      visit(inner, at)
    }
  }
  visit(body, [])
  return found
}

const RECORDED = recordedAnswers().map((one) => [one.name, one] as const)

describe.each(RECORDED)('the recorded answer %s', (_name, { call, body, status }) => {
  const read = (text: string) => interpret(call(), { status, headers: {}, body: text, receivedAt: 0 })
  const text = JSON.stringify(body)

  test('gives no false figure with any field removed, null, renamed or of another type', () => {
    const good = valueOf(read(text))
    const changes = changesOf(body)
    expect(changes.length).toBeGreaterThan(0)
    for (const { text: changed } of changes) expectNoFalseFigure(good, text, read(changed), call().route)
  })
})

/** What each recorded answer needs, and reads in another JSON type. */
test.each([
  ['balances-pool', ['ntzs', 'usdc', 'positions.usdt.contributed']],
  ['balances-wallet', ['ntzs', 'usdc']],
  ['rate', ['midRateTZS']],
  ['quote', ['spreadBps', 'midRate', 'protocolFeeBps']],
  ['account', ['account.isActive']],
  ['spread', ['bidBps', 'askBps']],
  ['fill-waas', ['fills.0.amountIn', 'fills.0.amountOut', 'fills.0.protocolFeeEarned']],
  ['swap-rate', ['midRate', 'bidBps', 'askBps', 'spreadBps', 'protocolFeeBps', 'lowLiquidity']],
] as const)('%s is read alike where a figure comes in another JSON type', (name, fields) => {
  const one = recordedAnswers().find((recorded) => recorded.name === name)
  if (one === undefined) throw new Error(`no recorded answer ${name}`)
  const { call, body, status } = one
  const read = (text: string) =>
    valueOf(interpret(call(), { status, headers: {}, body: text, receivedAt: 0 }))
  const withoutText = (answer: object) =>
    JSON.stringify(answer, (key, value: unknown) => {
      if (key === 'raw') return undefined
      return typeof value === 'bigint' ? value.toString() : value
    })
  const good = withoutText(read(JSON.stringify(body)))
  for (const field of fields) {
    const change = changesOf(body).find(({ how, path }) => how === 'retyped' && path.join('.') === field)
    expect([field, withoutText(read(change?.text ?? ''))]).toEqual([field, good])
  }
})

describe.each(['balances-pool', 'balances-wallet'])('a position that reads %s', (name) => {
  const { body } = recordedAnswers().find((recorded) => recorded.name === name) ?? { body: null }
  const read = (text: string) =>
    interpret<VenueAnswer>(callsWith().balances(), { status: 200, headers: {}, body: text, receivedAt: 0 })
  const amountsOf = (text: string): Partial<Record<Asset, bigint>> => {
    const answer = read(text)
    return answer.ok && answer.value.type === 'balances' ? answer.value.amounts : {}
  }
  const good = amountsOf(JSON.stringify(body))

  /** Whether the position is ready, and its status, 40 s after the venue began to answer with `changed`. */
  function after(changed: string) {
    const core = coreHarness({
      config: { risk: { ...coreConfig().risk, maxUnreadableMs: 90_000 }, activation: 'manual' },
      venue: { isActive: name === 'balances-pool' },
    })
    let answer = JSON.stringify(body)
    core.venue.answers.readBalances = (effect) => {
      if (effect.type !== 'readBalances') throw new Error('another effect')
      const times = { route: 'GET /balances', sentAt: core.now, t: core.now }
      const event = outcomeEvent(effect, read(answer), times, createFillsWindow())
      if (event.type === 'requestFailed') return event.failure
      if (event.type !== 'balances') throw new Error('another answer')
      return event
    }
    core.run(40_000)
    expect(core.state().reconciliation.state).toBe('reconciled')
    answer = changed
    core.run(40_000)
    return { state: core.state().reconciliation.state, ready: readiness(core.state(), core.now).ready }
  }

  test('is reconciled only by an answer that states each token as the ledger has it', () => {
    const seen = new Set<boolean>()
    for (const { text } of changesOf(body)) {
      const stated = amountsOf(text)
      const isWhole = ASSETS.every((asset) => good[asset] === undefined || stated[asset] === good[asset])
      seen.add(isWhole)
      if (!isWhole) expect([text, after(text)]).toEqual([text, { state: 'pending', ready: false }])
    }
    expect(seen).toEqual(new Set([true, false]))
  })
})
