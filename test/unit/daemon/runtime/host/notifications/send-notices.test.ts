import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createNoticeSender } from '../../../../../../src/daemon/runtime/host/notifications/send-notices.ts'
import type { OutgoingNotice } from '../../../../../../src/daemon/guard/notices/notice.ts'
import { receivingServer, type ReceivingServer } from '../../../../../support/receiving-server.ts'
import { ENV, folderWith, VALID } from '../../../config/config-fixture.ts'
import { outgoingNotice } from '../../../guard/notices/outgoing-notice.ts'

const KEY = 'a-key-of-enough-characters'
let desk: ReceivingServer
let boss: ReceivingServer
beforeEach(async () => {
  desk = await receivingServer()
  boss = await receivingServer()
})
afterEach(async () => {
  await desk.close()
  await boss.close()
})

const env = () => ({ ...ENV, DESK: `${desk.url}/hook`, BOSS: `${boss.url}/hook`, HOOK_KEY: KEY })
const told = ({ received }: ReceivingServer) =>
  received.map(({ body }) => JSON.parse(body) as Record<string, unknown>)

function configFile(name = 'desk-1'): string {
  const more = `notify: { webhook: { url: !env DESK, hmacKey: !env HOOK_KEY, minSeverity: critical } }
alert:
  escalation:
    - { afterMinutes: 30, webhook: { url: !env DESK, hmacKey: !env HOOK_KEY } }
    - { afterMinutes: 10, webhook: { url: !env BOSS, hmacKey: !env HOOK_KEY } }
`
  return join(folderWith({ 'live.yaml': VALID.replace('desk-1', name) + more }), 'live.yaml')
}

function notice(configFile: string, change: Partial<OutgoingNotice> = {}): OutgoingNotice {
  return outgoingNotice({ position: 'desk-1', configFile, ...change })
}

async function send(...notices: readonly OutgoingNotice[]) {
  const sender = createNoticeSender(env())
  const sent = await Promise.all(notices.map(sender.send))
  await sender.close()
  return sent.map((one) =>
    one.ok ? one.value.channels.map(({ key, outcome }) => `${key} ${outcome}`) : one.error,
  )
}

describe('A sender of notices', () => {
  test('the sender reaches the first recipients, and each step of the escalation in the order of its minutes', async () => {
    expect(await send(notice(configFile(), { audience: [0, 1] }))).toEqual([
      ['0/webhook sent', '1/webhook sent'],
    ])
    expect(told(desk)).toMatchObject([
      { id: 'id-1', position: 'desk-1', kind: 'raised', severity: 'critical', code: 'guard-fired' },
    ])
    expect(told(boss)).toMatchObject([{ id: 'id-1', advice: expect.stringContaining('daemon is silent') }])
  })

  test('the sender skips channels above the severity of the notice, unless it ends an alert that they received', async () => {
    const config = configFile()
    const news = { code: 'guard-safe' } as const
    expect(await send(notice(config, news), notice(config, { ...news, isEnd: true }))).toEqual([
      [],
      ['0/webhook sent'],
    ])
    expect(await send(notice(config, { kind: 'lifted' }))).toEqual([['0/webhook sent']])
    expect(told(desk)).toMatchObject([
      { code: 'guard-safe' },
      { kind: 'lifted', severity: 'info', runbook: null },
    ])
  })

  test('reports each channel for itself, and sends again on those alone that are named', async () => {
    desk.respond = (response) => {
      response.statusCode = 503
      response.end()
    }
    const config = configFile()
    expect(await send(notice(config, { audience: [0, 1] }))).toEqual([['0/webhook retry', '1/webhook sent']])
    desk.respond = (response) => void response.end()
    expect(await send(notice(config, { audience: [0, 1], only: ['0/webhook'] }))).toEqual([
      ['0/webhook sent'],
    ])
    expect([told(desk).length, told(boss).length]).toEqual([2, 1])
  })

  test('makes one message of a fleet whose positions lead to the same channel', async () => {
    const names = Array.from({ length: 8 }, (_, at) => `desk-${at}`)
    const sent = await send(...names.map((name) => notice(configFile(name), { id: name, position: name })))
    expect(sent).toEqual(names.map(() => ['0/webhook sent']))
    expect(told(desk)).toMatchObject([{ position: '8 positions', count: 8 }])
  })

  test('names what is wrong with a configuration that cannot be read, and sends the others all the same', async () => {
    const [broken, sent] = await send(notice('/not/there.yaml'), notice(configFile()))
    expect(broken).toContain('no such file')
    expect(sent).toEqual(['0/webhook sent'])
  })
})
