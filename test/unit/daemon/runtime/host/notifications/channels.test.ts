import { expect, test } from 'vitest'
import { notificationLog } from '../../../../../../src/daemon/runtime/host/notifications/channels.ts'
import { createLog } from '../../../../../../src/daemon/telemetry/log/log.ts'

function lines() {
  const said: string[] = []
  const to = { write: (line: string) => void said.push((JSON.parse(line) as { msg: string }).msg) }
  return { said, told: notificationLog(createLog({ position: 'desk-1', level: 'info', to })) }
}

test('a channel that is down for a day says so once in each way, and once that it is back', () => {
  const { said, told } = lines()
  for (let round = 0; round < 100; round += 1) {
    for (let attempt = 0; attempt < 6; attempt += 1) told('slack', 'retry', 1, 'it answered 503')
    told('slack', 'failed', 1, 'it answered 503')
    told('slack', 'held', 1, 'it has had maxPerHour messages')
  }
  expect(said).toHaveLength(3)
  told('slack', 'sent', 1, null)
  told('slack', 'sent', 1, null)
  expect(said.slice(3)).toEqual(['slack accepts messages again'])
})

test('a channel that fails for a month with another answer each time is logged twenty times, and again after it worked', () => {
  const { said, told } = lines()
  const fail = () => {
    for (let nth = 0; nth < 43_200; nth += 1) told('telegram', 'retry', 1, `it answered 429: wait ${nth} s`)
  }
  fail()
  expect(said).toHaveLength(20)
  told('telegram', 'sent', 1, null)
  fail()
  expect(said).toHaveLength(41)
})

test('quiet hours are no trouble of the channel', () => {
  const { said, told } = lines()
  told('telegram', 'held', 1, 'it is within quietHours')
  told('telegram', 'sent', 1, null)
  expect(said).toEqual([
    'telegram does not get every message separately: it is within quietHours; they are combined into a summary',
  ])
})
