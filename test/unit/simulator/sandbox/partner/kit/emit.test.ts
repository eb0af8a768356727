import { expect, test } from 'vitest'
import type { SandboxOptionsInput } from '../../../../../../src/simulator/sandbox/options.ts'
import { patchSettings } from '../../../../../../src/simulator/sandbox/partner/control/control.ts'
import { partnerClient } from '../partner-client.ts'

type WebhookSettings = NonNullable<
  NonNullable<NonNullable<SandboxOptionsInput['partner']>['settings']>['webhooks']
>

function open(webhooks: WebhookSettings) {
  const { ask, model, ownerId, wait } = partnerClient({ partner: { settings: { settleMs: 0, webhooks } } })
  return {
    wait,
    set: (changed: WebhookSettings) => patchSettings(model.partner, { webhooks: changed }),
    deposit: (amountTzs: number) => {
      ask('POST', '/deposits', { userId: ownerId, amountTzs, phoneNumber: '0754123456' })
      wait(0)
    },
    sent: () =>
      model.partner.outbox.map(({ text, at }) => {
        const { data } = JSON.parse(text) as { data: { amountTzs: number } }
        return [data.amountTzs, at - model.state.startMs]
      }),
  }
}

test('an event leaves once, when what it reports has happened', () => {
  const { deposit, sent, wait } = open({})
  deposit(500)
  wait(60_000)
  expect(sent()).toEqual([[500, 0]])
})

test('a duplicate is the same text twice', () => {
  const { deposit, sent } = open({ duplicate: 1 })
  deposit(500)
  expect(sent()).toEqual([
    [500, 0],
    [500, 0],
  ])
})

test('a lost event never leaves', () => {
  const { deposit, sent, wait } = open({ lost: 1 })
  deposit(500)
  wait(3_600_000)
  expect(sent()).toEqual([])
})

test('a late event leaves after its delay', () => {
  const { deposit, sent, wait } = open({ late: 1, lateMs: 90_000 })
  deposit(500)
  wait(89_999)
  expect(sent()).toEqual([])
  wait(1)
  expect(sent()).toEqual([[500, 90_000]])
})

test('a reordered event is overtaken by the next one', () => {
  const { deposit, sent, set, wait } = open({ reordered: 1 })
  deposit(500)
  set({ reordered: 0 })
  wait(1_000)
  deposit(600)
  wait(1_000)
  expect(sent()).toEqual([
    [600, 1_000],
    [500, 2_000],
  ])
})
