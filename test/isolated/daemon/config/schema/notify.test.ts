import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { expectGolden, goldenJson } from '../../../../support/expect-golden.ts'
import { encodeJson } from '../../../../../src/base/codec.ts'
import { formatProblem } from '../../../../../src/daemon/config/source/problem.ts'
import type { LoadedConfig } from '../../../../../src/daemon/config/load/loaded-config.ts'
import { ENV, load, problemsOf, VALID } from '../../../../unit/daemon/config/config-fixture.ts'

const TOKEN = '123456789:AAEhBOweik6ad9r_QXMENQjcrGbqCr4K-bc'
const SLACK = 'https://hooks.slack.example/services/T0/B0/xoxsecretpart'
const HOOK = 'https://hook.example/another-secret-part'
const KEY = 'a-key-of-enough-characters'
const KEYS = { ...ENV, BOT: TOKEN, SLACK, HOOK, HOOK_KEY: KEY }
const SECRETS = [TOKEN, TOKEN.slice(10), 'xoxsecretpart', 'another-secret-part', KEY]

const SECTION = `notify:
  telegram: { botToken: !env BOT, chatId: '-100123', minSeverity: critical }
  slack: { webhookUrl: !env SLACK, maxPerHour: 5 }
  webhook: { url: !env HOOK, hmacKey: !env HOOK_KEY, summary: false }
  quietHours: '22:00-06:30'
  timezone: Europe/Berlin
  summaryAt: '07:45'
`

function text(from = '', to = ''): string {
  if (!SECTION.includes(from)) throw new Error(`the section has no ${from}`)
  return VALID + SECTION.replace(from, to)
}

async function loaded(yaml: string): Promise<LoadedConfig> {
  const result = await load(yaml, {}, KEYS)
  if (!result.ok) throw new Error(result.error.map(formatProblem).join('\n'))
  return result.value
}

describe('the section about telling people', () => {
  test('has its secrets read, its hours as minutes and its defaults filled in', async () => {
    const { notify } = await loaded(text())
    await expectGolden('config/notify', goldenJson(notify))
    expect(notify?.telegram?.botToken.reveal()).toBe(TOKEN)
    expect(notify?.slack?.webhookUrl.reveal()).toBe(SLACK)
    expect(notify?.webhook?.hmacKey.reveal()).toBe(KEY)
  })

  test('shows no secret however it is printed, and nothing of it reaches the core', async () => {
    const config = await loaded(text())
    const printed = [
      inspect(config, { depth: 10 }),
      JSON.stringify(config.notify),
      config.notify?.webhook?.url.toString() ?? '',
      encodeJson(config.core),
    ]
    for (const secret of SECRETS) expect(printed.join('\n')).not.toContain(secret)
    expect(encodeJson(config.core)).not.toContain('notify')
  })

  test('without a channel is no one to tell, and offline no one is looked for', async () => {
    expect((await loaded(VALID)).notify).toBeNull()
    const offline = await load(text(), { offline: true }, {})
    expect(offline.ok && offline.value.notify).toBeNull()
  })

  test.each([
    ['!env BOT', TOKEN, 'notify.telegram.botToken: secret in plain text: use !env NAME or !file PATH'],
    ['!env SLACK', SLACK, 'notify.slack.webhookUrl: secret in plain text: use !env NAME or !file PATH'],
    ['!env HOOK,', `${HOOK},`, 'notify.webhook.url: secret in plain text: use !env NAME or !file PATH'],
    ['!env HOOK_KEY', KEY, 'notify.webhook.hmacKey: secret in plain text: use !env NAME or !file PATH'],
    ['!env BOT', '!env SLACK', 'notify.telegram.botToken: its value is not a bot token'],
    ['!env SLACK', '!env BOT', 'notify.slack.webhookUrl: its value is not an address'],
    ['!env HOOK_KEY', '!env SHORT', 'notify.webhook.hmacKey: its value is too short to sign with'],
    ['!env BOT', '!env MISSING', 'notify.telegram.botToken: environment variable MISSING is not set'],
    ["'-100123'", 'everybody', 'notify.telegram.chatId: not a chat'],
    ["'22:00-06:30'", "'22-6'", 'notify.quietHours: not hours'],
    ["'07:45'", "'7:45'", 'notify.summaryAt: not a time'],
    ['Europe/Berlin', 'Europe/Berlyn', 'notify.timezone: not a time zone'],
    [
      'minSeverity: critical',
      'minSeverity: grave',
      'notify.telegram.minSeverity: not one of the possible values',
    ],
    ['maxPerHour: 5', 'maxPerHour: 0', 'notify.slack.maxPerHour: too small'],
    [
      'hmacKey: !env HOOK_KEY, ',
      '',
      'notify.webhook.hmacKey: missing; !env NAME or !file PATH is needed here',
    ],
    ['chatId', 'chatid', 'notify.telegram.chatid: unknown key'],
  ])('with %s as %s is refused, without a word of any secret', async (from, to, message) => {
    const problems = (await problemsOf(text(from, to), { ...KEYS, SHORT: 'short' })).join('\n')
    expect(problems).toContain(message)
    const result = await load(text(from, to), {}, { ...KEYS, SHORT: 'short' })
    const whole = result.ok ? '' : result.error.map(formatProblem).join('\n') + JSON.stringify(result.error)
    for (const secret of SECRETS) expect(problems + whole).not.toContain(secret)
  })
})
