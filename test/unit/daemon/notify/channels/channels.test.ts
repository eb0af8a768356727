import { createHash } from 'node:crypto'
import { createServer } from 'node:net'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Channel, Delivery } from '../../../../../src/daemon/notify/message/message.ts'
import { slackChannel } from '../../../../../src/daemon/notify/channels/slack.ts'
import { telegramChannel } from '../../../../../src/daemon/notify/channels/telegram.ts'
import { webhookChannel } from '../../../../../src/daemon/notify/channels/webhook.ts'
import { expectGolden } from '../../../../support/expect-golden.ts'
import { receivingServer, type ReceivingServer } from '../../../../support/receiving-server.ts'
import { exampleMessage, NOON } from '../example-message.ts'

const TOKEN = '123456789:AAEhBOweik6ad9r_QXMENQjcrGbqCr4K-bc'
const KEY = 'a-key-of-enough-characters'
const SLACK_PATH = '/services/T000/B000/xoxsecretpart'
const HOOK_PATH = '/hooks/another-secret-part'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

type Kind = 'telegram' | 'slack' | 'webhook'
const KINDS: readonly Kind[] = ['telegram', 'slack', 'webhook']

function open(kind: Kind, url: string, timeoutMs = 60_000): Channel {
  const common = { timezone: 'Africa/Dar_es_Salaam', timeoutMs }
  const channel = {
    telegram: () => telegramChannel({ ...common, botToken: () => TOKEN, chatId: '-100', apiUrl: url }),
    slack: () => slackChannel({ ...common, webhookUrl: () => `${url}${SLACK_PATH}` }),
    webhook: () => webhookChannel({ ...common, url: () => `${url}${HOOK_PATH}`, hmacKey: () => KEY }),
  }[kind]()
  closing.push(channel.close)
  return channel
}

async function serve(respond?: ReceivingServer['respond']): Promise<ReceivingServer> {
  const server = await receivingServer()
  closing.push(server.close)
  if (respond !== undefined) server.respond = respond
  return server
}

function takes(kind: Kind): ReceivingServer['respond'] {
  return (response) => void response.end(kind === 'telegram' ? '{"ok":true,"result":{}}' : 'ok')
}

function withoutSecrets(delivery: Delivery): Delivery {
  const text = JSON.stringify(delivery)
  for (const secret of [TOKEN, TOKEN.slice(10), 'secretpart', 'secret-part', KEY]) {
    expect(text).not.toContain(secret)
  }
  return delivery
}

describe.each(KINDS)('%s', (kind) => {
  test('takes a message as one POST that says who, what, since when and what to do', async () => {
    const server = await serve(takes(kind))
    const message = exampleMessage({ since: NOON - 3_600_000 })
    expect(await open(kind, server.url).send(message)).toEqual({ outcome: 'sent' })
    expect(server.received).toHaveLength(1)
    const { text } = JSON.parse(server.received[0]?.body ?? '') as { text: string }
    expect(text.split('\n').map((line) => line.replaceAll('\u2060', ''))).toEqual([
      'CRITICAL desk-1: Trading is halted: the loss is over risk.maxLossTzs; at 2026-03-02 15:00:00 (Africa/Dar_es_Salaam); since 2026-03-02 14:00:00 (Africa/Dar_es_Salaam) (halted)',
      'Live: 67/53 bps is still live',
      'mizani: trading is halted, NOT confirmed at the venue',
      'Do: 1. see why: `mizani status --config live.yaml` 2. then `mizani resume --config live.yaml` https://wiki.example/runbook.md#halted',
    ])
  })

  test('says in a dry run that it is one', async () => {
    const server = await serve(takes(kind))
    await open(kind, server.url).send(exampleMessage({ mode: 'dry-run' }))
    expect(server.received[0]?.body).toContain('dry-run')
  })

  test.each([
    [500, 'retry'],
    [503, 'retry'],
    [408, 'retry'],
    [429, 'retry'],
    [401, 'refused'],
    [403, 'refused'],
    [404, 'refused'],
    [400, 'refused'],
  ])('answered %d is %s, without a secret in the reason', async (status, outcome) => {
    const server = await serve(
      (response, { path }) =>
        void response
          .writeHead(status)
          .end(`bad ${path} ${kind === 'webhook' ? KEY : ''}\u001b[2J${'x'.repeat(500)}`),
    )
    const delivery = withoutSecrets(await open(kind, server.url).send(exampleMessage()))
    expect(delivery).toMatchObject({ outcome, why: expect.stringMatching(`^it answered ${status}`) })
    expect(JSON.stringify(delivery).length).toBeLessThan(350)
    expect(delivery).not.toMatchObject({ why: expect.stringMatching(/\p{Cc}/u) })
    if (delivery.outcome === 'refused') expect(delivery.isContent).toBe(status === 400)
  })

  test('asks for patience with Retry-After, in seconds or as a date, and gets it up to an hour', async () => {
    const headers = ['7', new Date(NOON + 60_000).toUTCString(), '999999', 'soon']
    const date = new Date(NOON).toUTCString()
    const server = await serve(
      (response) => void response.writeHead(429, { date, 'retry-after': headers.shift() ?? '' }).end(),
    )
    const channel = open(kind, server.url)
    expect(await channel.send(exampleMessage())).toMatchObject({ afterMs: 7_000 })
    expect(await channel.send(exampleMessage())).toMatchObject({ afterMs: 60_000 })
    expect(await channel.send(exampleMessage())).toMatchObject({ afterMs: 3_600_000 })
    expect(await channel.send(exampleMessage())).toMatchObject({ afterMs: null })
  })

  test('that redirects is refused, and nothing goes to where it points', async () => {
    const other = await serve()
    const server = await serve(
      (response) => void response.writeHead(307, { location: `${other.url}/x` }).end(),
    )
    expect(withoutSecrets(await open(kind, server.url).send(exampleMessage()))).toMatchObject({
      outcome: 'refused',
      why: 'it answered 307, a redirect, which is not followed',
    })
    expect(other.received).toEqual([])
  })

  test('that answers too late, in the head or in the body, is given up in time', async () => {
    for (const respond of [
      () => undefined,
      (response: Parameters<ReceivingServer['respond']>[0]) => void response.write('o'),
    ]) {
      const server = await serve(respond)
      expect(withoutSecrets(await open(kind, server.url, 50).send(exampleMessage()))).toEqual({
        outcome: 'retry',
        why: expect.stringMatching(/^no whole answer within 50 ms/),
        afterMs: null,
      })
    }
  })

  test('that drops the connection, speaks no HTTP or is not there is tried again later', async () => {
    const dropping = await serve((response) => void response.destroy())
    const garbage = createServer((socket) => void socket.end('hello\r\n\r\n', () => socket.destroy())).listen(
      0,
      '127.0.0.1',
    )
    await new Promise((resolve) => garbage.once('listening', resolve))
    const address = garbage.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    for (const url of [dropping.url, `http://127.0.0.1:${port}`, 'http://127.0.0.1:1']) {
      const delivery = withoutSecrets(await open(kind, url).send(exampleMessage()))
      expect(delivery).toMatchObject({ outcome: 'retry', why: expect.stringMatching(/^no answer \(\w+\)/) })
    }
    await new Promise((resolve) => garbage.close(resolve))
  })

  test('that floods is not read to the end', async () => {
    const server = await serve((response) => {
      response.writeHead(500)
      const chunk = 'x'.repeat(65_536)
      const more = () => {
        while (!response.destroyed && response.write(chunk));
      }
      response.on('drain', more)
      more()
    })
    expect(await open(kind, server.url).send(exampleMessage())).toMatchObject({ outcome: 'retry' })
  })
})

describe('a good status with another answer than the channel gives', () => {
  test.each(['telegram', 'slack'] as const)(
    'is not taken for success by %s: a captive portal says 200 too',
    async (kind) => {
      const server = await serve((response) => void response.end('<html>log in</html>'))
      expect(await open(kind, server.url).send(exampleMessage())).toMatchObject({ outcome: 'retry' })
    },
  )
})

describe('Telegram', () => {
  test('gets chat and text without a parse mode or a preview, at the address of the bot', async () => {
    const server = await serve(takes('telegram'))
    await open('telegram', server.url).send(exampleMessage({ severity: 'info' }))
    expect(server.received[0]?.path).toBe(`/bot${TOKEN}/sendMessage`)
    const body = JSON.parse(server.received[0]?.body ?? '') as Record<string, unknown>
    expect(Object.keys(body).sort()).toEqual([
      'chat_id',
      'disable_notification',
      'link_preview_options',
      'text',
    ])
    expect(body).toMatchObject({
      chat_id: '-100',
      link_preview_options: { is_disabled: true },
      disable_notification: true,
    })
  })

  test('its own words and its own retry_after are believed, a description with anything like a token is not', async () => {
    const answers = [
      { ok: false, description: 'Bad Request: chat not found' },
      { ok: false, description: 'Too Many Requests: retry after 5', parameters: { retry_after: 5 } },
      { ok: false, description: `Unauthorized ${TOKEN}` },
      { ok: false, description: 'Too Many Requests: retry after 7200', parameters: { retry_after: 7_200 } },
    ]
    const server = await serve(
      (response) => void response.writeHead(400).end(JSON.stringify(answers.shift())),
    )
    const channel = open('telegram', server.url)
    expect(await channel.send(exampleMessage())).toMatchObject({
      why: 'it answered 400 (Bad Request: chat not found)',
    })
    server.respond = (response) => void response.writeHead(429).end(JSON.stringify(answers.shift()))
    expect(await channel.send(exampleMessage())).toMatchObject({ outcome: 'retry', afterMs: 5_000 })
    expect(await channel.send(exampleMessage())).toMatchObject({ why: 'it answered 429' })
    expect(await channel.send(exampleMessage())).toMatchObject({ outcome: 'retry', afterMs: 3_600_000 })
  })

  test('never gets more than it takes', async () => {
    const server = await serve(takes('telegram'))
    const text = Array.from({ length: 200 }, () => '😀'.repeat(2_000)).join('\n')
    const long = { t: NOON, text }
    await open('telegram', server.url).send(exampleMessage({ kind: 'held', first: long, last: long }))
    const { text: sent } = JSON.parse(server.received[0]?.body ?? '') as { text: string }
    expect(sent.length).toBeLessThanOrEqual(4_096)
    expect(sent.isWellFormed()).toBe(true)
  })
})

describe('Slack', () => {
  test('gets its three special characters escaped and its markup turned off', async () => {
    const server = await serve(takes('slack'))
    const hostile = { t: NOON, text: '<!channel> <https://evil.example|mend it> & <@U123>' }
    await open('slack', server.url).send(exampleMessage({ first: hostile, last: hostile }))
    const body = JSON.parse(server.received[0]?.body ?? '') as Record<string, unknown>
    expect(body).toMatchObject({ mrkdwn: false, link_names: 0, unfurl_links: false, unfurl_media: false })
    expect(body['text']).not.toMatch(/[<>]/)
    expect(body['text']).toContain('&lt;!channel&gt;')
    expect(body['text']).toContain('&amp;')
    expect(body['text']).not.toContain('https://evil.example')
  })
})

test('a failed delivery names the remedy and whether a retry or another message may succeed', async () => {
  const answers = [
    ['slack', 400, 'invalid_payload'],
    ['slack', 400, 'too_many_attachments'],
    ['slack', 400, 'no_text'],
    ['slack', 400, 'user_not_found'],
    ['slack', 404, 'channel_not_found'],
    ['slack', 404, 'no_service'],
    ['slack', 410, 'channel_is_archived'],
    ['slack', 403, 'action_prohibited'],
    ['slack', 403, 'posting_to_general_channel_denied'],
    ['slack', 403, 'invalid_token'],
    ['slack', 404, ''],
    ['slack', 410, ''],
    ['slack', 418, 'I am\na "teapot"'],
    ['slack', 429, ''],
    ['slack', 503, ''],
    ['webhook', 401, ''],
    ['webhook', 403, ''],
    ['webhook', 404, 'no_service'],
    ['webhook', 410, ''],
    ['webhook', 413, ''],
    ['webhook', 415, ''],
    ['webhook', 429, ''],
    ['webhook', 500, ''],
  ] as const
  const lines: string[] = []
  for (const [kind, status, body] of answers) {
    const server = await serve(
      (response) => void response.writeHead(status, { 'retry-after': '7' }).end(body),
    )
    const delivery = await open(kind, server.url).send(exampleMessage())
    lines.push(`${kind} ${status} ${JSON.stringify(body)}: ${JSON.stringify(delivery)}`)
  }
  await expectGolden('channel-answers', lines.join('\n'))
})

describe('the webhook', () => {
  test('is signed over timestamp and body: HMAC-SHA256 as RFC 2104 spells it out gives the same', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: NOON })
    onTestFinished(() => void vi.useRealTimers())
    const server = await serve()
    await open('webhook', server.url).send(exampleMessage())
    const [one] = server.received
    if (one === undefined) throw new Error('nothing came')
    const { headers, body, path } = one
    const timestamp = String(headers['x-mizani-timestamp'])
    expect(path).toBe(HOOK_PATH)
    expect(Number(timestamp)).toBe(NOON / 1_000)
    expect(headers['x-mizani-signature']).toBe(`sha256=${hmacByHand(KEY, `${timestamp}.${body}`)}`)
    expect(headers['x-mizani-signature']).not.toBe(`sha256=${hmacByHand(KEY, `${timestamp}.${body} `)}`)
  })

  test('has everything as fields, times in UTC, and the same id over all attempts', async () => {
    const server = await serve((response) => void response.writeHead(500).end())
    const channel = open('webhook', server.url)
    await channel.send(exampleMessage())
    await channel.send(exampleMessage())
    const bodies = server.received.map(({ body }) => JSON.parse(body) as Record<string, unknown>)
    expect(bodies[0]).toEqual(bodies[1])
    expect(bodies[0]).toMatchObject({
      version: 1,
      id: 'c0ffee',
      position: 'desk-1',
      mode: 'live',
      kind: 'raised',
      severity: 'critical',
      code: 'halted',
      count: 1,
      firstAt: '2026-03-02T12:00:00.000Z',
      since: '2026-03-02T12:00:00.000Z',
      title: 'Trading is halted',
      live: '67/53 bps is still live',
      did: expect.stringContaining('NOT confirmed'),
      advice: expect.stringContaining('`mizani resume '),
      runbook: 'https://wiki.example/runbook.md#halted',
      console: null,
    })
  })

  test('is content with any 2xx', async () => {
    const server = await serve((response) => void response.writeHead(204).end())
    expect(await open('webhook', server.url).send(exampleMessage())).toEqual({ outcome: 'sent' })
  })
})

/** RFC 2104: H(K xor opad, H(K xor ipad, text)), with blocks of 64 bytes. */
function hmacByHand(key: string, text: string): string {
  const block = Buffer.alloc(64)
  block.write(key)
  const pad = (byte: number) => Buffer.from(block.map((one) => one ^ byte))
  const inner = createHash('sha256').update(pad(0x36)).update(text).digest()
  return createHash('sha256').update(pad(0x5c)).update(inner).digest('hex')
}

test('a group that became a supergroup is followed, and the message names the new chat', async () => {
  const server = await serve((response, { body }) => {
    const { chat_id: chat } = JSON.parse(body) as { chat_id: string }
    if (chat === '-1009') return void response.end('{"ok":true,"result":{}}')
    response.statusCode = 400
    const parameters = { migrate_to_chat_id: -1009 }
    response.end(JSON.stringify({ ok: false, description: 'group upgraded', parameters }))
  })
  const channel = open('telegram', server.url)
  expect(await channel.send(exampleMessage({}))).toEqual({ outcome: 'sent' })
  expect(await channel.send(exampleMessage({}))).toEqual({ outcome: 'sent' })
  const sent = server.received.map(({ body }) => JSON.parse(body) as { chat_id: string; text: string })
  expect(sent.map(({ chat_id: chat }) => chat)).toEqual(['-100', '-1009', '-1009'])
  expect(sent[1]?.text).toContain("set chatId of notify.telegram to '-1009'")
})

test('a message goes to the topic that the configuration names', async () => {
  const server = await serve(takes('telegram'))
  const settings = { botToken: () => TOKEN, chatId: '-100', apiUrl: server.url, timezone: 'UTC' }
  const channel = telegramChannel({ ...settings, topicId: 7 })
  closing.push(channel.close)
  await channel.send(exampleMessage({}))
  expect(JSON.parse(server.received[0]?.body ?? '')).toMatchObject({ chat_id: '-100', message_thread_id: 7 })
})
