import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { formatProblem } from '../../../../../src/daemon/config/source/problem.ts'
import { ENV, load, problemsOf, VALID } from '../../../../unit/daemon/config/config-fixture.ts'

const PING = 'https://hc.example/ping/a-secret-uuid'

async function alertOf(yaml: string) {
  const result = await load(yaml, {}, { ...ENV, PING })
  if (!result.ok) throw new Error(result.error.map(formatProblem).join('\n'))
  return result.value
}

describe('the section about who watches the daemon', () => {
  test('names no service by default, and has one minute and no suffixes where it names one', async () => {
    expect((await alertOf(VALID)).alert).toEqual({ heartbeat: null, repeatMs: 900_000, escalation: [] })
    const { alert } = await alertOf(`${VALID}alert: { heartbeatUrl: !env PING }\n`)
    expect(alert.heartbeat).toMatchObject({ everyMs: 60_000, suffixes: false })
    expect(alert.heartbeat?.url.reveal()).toBe(PING)
  })

  test('shows its address nowhere', async () => {
    const config = await alertOf(`${VALID}alert: { heartbeatUrl: !env PING, heartbeatSuffixes: true }\n`)
    expect(inspect(config, { depth: 10 }) + JSON.stringify(config.alert)).not.toContain('a-secret-uuid')
  })

  test.each([
    [`heartbeatUrl: ${PING}`, {}, 'alert.heartbeatUrl: secret in plain text: use !env NAME or !file PATH'],
    ['heartbeatUrl: !env PING', { PING: 'hc.example' }, 'is not an address; expected http(s)://host/path'],
    ['heartbeatUrl: !env PING', { PING: 'https://anna:x@hc.example/a' }, 'is not an address'],
    ['heartbeatUrl: !env PING', { PING: '' }, 'environment variable PING is empty'],
    ['heartbeatUrl: !env PING, heartbeatEveryMs: 10', { PING }, 'alert.heartbeatEveryMs'],
  ])('refuses %s', async (section, env, message) => {
    const problems = await problemsOf(`${VALID}alert: { ${section} }\n`, { ...ENV, ...env })
    expect(problems.join('\n')).toContain(message)
    expect(problems.join('\n')).not.toContain('anna')
  })
})

const PAGER = 'https://pager.example/another-secret-part'
const KEYS = {
  ...ENV,
  PING,
  PAGER,
  BOT: '123456789:AAEhBOweik6ad9r_QXMENQjcrGbqCr4K-bc',
  KEY: 'sixteen-characters',
}
const NOTIFY = 'notify: { webhook: { url: !env PAGER, hmacKey: !env KEY } }\n'

describe('repetition and escalation', () => {
  test('are read with their secrets, and the steps stand in the order of their minutes', async () => {
    const result = await load(
      `${VALID}${NOTIFY}alert:
  repeatMinutes: 15
  escalation:
    - { afterMinutes: 30, webhook: { url: !env PAGER, hmacKey: !env KEY } }
    - { afterMinutes: 10, telegram: { botToken: !env BOT, chatId: '7' } }
`,
      {},
      KEYS,
    )
    if (!result.ok) throw new Error(result.error.map(formatProblem).join('\n'))
    const { repeatMs, escalation } = result.value.alert
    expect(repeatMs).toBe(900_000)
    expect(escalation.map(({ afterMs }) => afterMs)).toEqual([600_000, 1_800_000])
    expect(escalation[0]?.channels.telegram?.botToken.reveal()).toBe(KEYS.BOT)
    expect(escalation[1]?.channels.webhook?.url.reveal()).toBe(PAGER)
    const printed = inspect(result.value, { depth: 10 }) + JSON.stringify(result.value.alert)
    for (const secret of [KEYS.BOT, 'another-secret-part', KEYS.KEY]) expect(printed).not.toContain(secret)
  })

  test('repeats a critical alert every 15 minutes unless the configuration wants another time, or none', async () => {
    const repeatMs = async (section: string) => {
      const result = await load(`${VALID}${NOTIFY}${section}`, {}, KEYS)
      if (!result.ok) throw new Error(result.error.map(formatProblem).join('\n'))
      return result.value.alert.repeatMs
    }
    expect(await repeatMs('')).toBe(900_000)
    expect(await repeatMs('alert: { repeatMinutes: 5 }\n')).toBe(300_000)
    expect(await repeatMs('alert: { repeatMinutes: null }\n')).toBeNull()
  })

  test.each([
    [
      'escalation: [{ afterMinutes: 5, telegram: { botToken: !env BOT, chatId: "7" } }]',
      '',
      'name one in notify',
    ],
    ['escalation: [{ afterMinutes: 5 }]', NOTIFY, 'a step without a channel'],
    ['escalation: [{ telegram: { botToken: !env BOT, chatId: "7" } }]', NOTIFY, 'afterMinutes'],
    ['escalation: [{ afterMinutes: 0, slack: { webhookUrl: !env PAGER } }]', NOTIFY, 'afterMinutes'],
    [`escalation: [{ afterMinutes: 5, slack: { webhookUrl: "${PAGER}" } }]`, NOTIFY, 'secret in plain text'],
    ['escalation: [{ afterMinutes: 5, slack: { webhookUrl: !env KEY } }]', NOTIFY, 'is not an address'],
    ['repeatMinutes: 0', NOTIFY, 'alert.repeatMinutes'],
  ])('are refused with what to do: %s', async (section, notify, message) => {
    const problems = await problemsOf(`${VALID}${notify}alert: { ${section} }\n`, KEYS)
    expect(problems.join('\n')).toContain(message)
    expect(problems.join('\n')).not.toContain('another-secret-part')
  })
})
