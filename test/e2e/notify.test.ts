import { describe, expect, test } from 'vitest'
import { receivingServer, type ReceivingServer } from '../support/receiving-server.ts'
import { openMarket } from './daemon/open-market.ts'
import { runHere } from './daemon/run-here.ts'
import { until } from './daemon/until.ts'

const TOKEN = '123456789:AAEhBOweik6ad9r_QXMENQjcrGbqCr4K-bc'
const KEY = 'a-key-of-enough-characters'
const SLACK_PATH = '/services/T000/B000/xoxsecretpart'

type Told = {
  readonly code: string
  readonly kind: string
  readonly severity: string
  readonly what: string
  readonly text: string
  readonly mode: string
}

function told(server: ReceivingServer): Told[] {
  return server.received.map(({ body }) => JSON.parse(body) as Told)
}

function env(hook: ReceivingServer, slack: ReceivingServer = hook): Record<string, string> {
  return {
    HOOK_URL: `${hook.url}/hook`,
    HOOK_KEY: KEY,
    SLACK_URL: `${slack.url}${SLACK_PATH}`,
    BOT_TOKEN: TOKEN,
  }
}

const WEBHOOK = { url: '!env HOOK_URL', hmacKey: '!env HOOK_KEY', minSeverity: 'info' }

describe.concurrent('notifications', { timeout: 150_000 }, () => {
  test('of a halt within seconds, of its end, and of a halt that a restart finds, while Slack is down and trading continues', async () => {
    const hook = await receivingServer()
    const slack = await receivingServer()
    slack.respond = (response) => void response.writeHead(500).end('down')
    const market = await openMarket(
      {},
      {
        notify: {
          webhook: WEBHOOK,
          slack: { webhookUrl: '!env SLACK_URL', minSeverity: 'info' },
          groupMs: 500,
        },
      },
    )
    const vars = env(hook, slack)
    const daemon = market.start(vars)
    await market.quoted(60, 70)
    await until('the start is notified', () => told(hook).some(({ code }) => code === 'daemon-start'))
    // What is at the venue and not in the books halts after its grace; a person halts at once.
    const began = performance.now()
    await daemon.post('halt', { who: 'anna', why: 'the feed looks wrong' })
    const halt = await until('the halt is notified', () => told(hook).find(({ code }) => code === 'halted'))
    expect(performance.now() - began).toBeLessThan(5_000)
    expect(halt).toMatchObject({ kind: 'raised', severity: 'critical', mode: 'live' })
    expect(halt.what).toContain('feed looks wrong')
    expect(halt.text.split('\n')).toEqual([
      expect.stringMatching(/^CRITICAL .*feed looks wrong.*\(halted\)$/),
      expect.stringMatching(/^Live: .*(inactive|500\/500)/),
      expect.stringMatching(/^mizani: .* halted, (NOT )?confirmed/),
      expect.stringMatching(
        /^Do: 1\. `mizani status --config \/.*`mizani ack halted .*`mizani runbook halted`$/,
      ),
    ])
    await daemon.kill('SIGKILL')

    const again = market.start(vars)
    const still = await until('the halt is notified once by the next process', () =>
      told(hook).find(({ code, kind }) => code === 'halted' && kind === 'reminder'),
    )
    expect(still.what).toContain('feed looks wrong')
    await again.post('resume', { who: 'anna', why: 'mended' })
    await until('the end is notified', () =>
      told(hook).some(({ code, kind }) => code === 'halted' && kind === 'lifted'),
    )
    expect(told(hook).filter(({ code, kind }) => code === 'halted' && kind === 'reminder')).toHaveLength(1)

    // Slack never took a thing, and the market is made all the same.
    await market.quoted(60, 70)
    expect(slack.received.length).toBeGreaterThan(1)
    const { body: metrics } = await again.get('/metrics')
    expect(metrics).toMatch(
      /mizani_notifications_total\{channel="slack",outcome="retry",position="desk-1"\} [1-9]/,
    )
    expect(metrics).toMatch(
      /mizani_notifications_total\{channel="webhook",outcome="sent",position="desk-1"\} [1-9]/,
    )
    expect(metrics).toMatch(/mizani_notifications_pending\{channel="slack",position="desk-1"\} [1-9]/)
    await again.kill('SIGTERM')
    expect(told(hook).at(-1)).toMatchObject({ code: 'daemon-stop' })
    const printed = [daemon, again].map((one) => one.output() + one.errors()).join('\n')
    expect(printed).toMatch(/slack .* 500/)
    for (const secret of [KEY, 'xoxsecretpart', hook.url]) expect(printed).not.toContain(secret)
    await Promise.all([market.close(), hook.close(), slack.close()])
  })

  test('by `mizani notify test`, channel by channel, with what came back and without a secret', async () => {
    const hook = await receivingServer()
    const bot = await receivingServer()
    bot.respond = (response) =>
      void response
        .writeHead(401)
        .end(JSON.stringify({ ok: false, error_code: 401, description: 'Unauthorized' }))
    const market = await openMarket(
      {},
      {
        mode: 'dry-run',
        notify: {
          webhook: { ...WEBHOOK, minSeverity: 'critical' },
          telegram: { botToken: '!env BOT_TOKEN', chatId: '-100123', apiUrl: bot.url },
        },
      },
    )
    const { code, out, err } = await runHere(
      ['notify', 'test', '--config', market.config, '--json'],
      env(hook),
    )
    expect(code).toBe(1)
    expect(JSON.parse(out)).toMatchObject({
      channels: [
        { channel: 'telegram', outcome: 'refused', why: 'it answered 401 (Unauthorized)' },
        { channel: 'webhook', outcome: 'sent', why: null },
      ],
    })
    expect(told(hook)).toMatchObject([{ kind: 'test', mode: 'dry-run' }])
    expect(told(hook)[0]?.text).toContain('dry-run')
    expect(bot.received[0]?.path).toBe(`/bot${TOKEN}/sendMessage`)
    expect(out + err).not.toContain(TOKEN.slice(12))
    await Promise.all([market.close(), hook.close(), bot.close()])
  })
})
