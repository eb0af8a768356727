import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { catchProcess } from './daemon/caught-process.ts'
import { runHere } from './daemon/run-here.ts'
import { until } from './daemon/until.ts'

const folder = mkdtempSync(join(tmpdir(), 'venue-options-'))

function file(text: string): string {
  const path = join(folder, 'venue.yaml')
  writeFileSync(path, text)
  return path
}

/** The command, once it listens. */
async function sandboxRunning(...args: string[]) {
  const command = catchProcess(['sandbox', '--port', '0', ...args])
  const url = await until('it listens', () => /^listening (\S+)$/m.exec(command.out())?.[1])
  const close = async () => {
    command.signal('SIGTERM')
    expect(await command.ended).toBe(0)
  }
  return { url, close }
}

describe('mizani sandbox --options', () => {
  test('reaches every option of the venue, and the command line goes before the file', async () => {
    const options = file(`
partnerKey: svc_test_9
apiKey: mm_test_of_the_file
protocolFeeBps: 25
opening: { USDC: '77' }
speed: 0
isActive: true
`)
    const venue = await sandboxRunning('--options', options, '--api-key', 'mm_test_of_the_line')
    try {
      const get = (path: string, key: string) =>
        fetch(`${venue.url}${path}`, { headers: { authorization: `Bearer ${key}` } })
      expect((await get('/api/v1/mm/balances', 'mm_test_of_the_file')).status).toBe(401)
      const balances = (await (await get('/api/v1/mm/balances', 'mm_test_of_the_line')).json()) as object
      expect(balances).toMatchObject({ usdc: '77' })
      const quote = await get('/api/v1/mm/quote?fromToken=USDC&toToken=NTZS&amount=1', 'mm_test_of_the_line')
      expect(await quote.json()).toMatchObject({ protocolFeeBps: 25 })
      const body = JSON.stringify({ userId: crypto.randomUUID(), from: 'USDC', to: 'TZS_TOKEN', amount: 1 })
      const headers = { 'content-type': 'application/json' }
      const swap = await fetch(`${venue.url}/api/v1/swap`, { method: 'POST', headers, body })
      expect(swap.status).toBe(401)
    } finally {
      await venue.close()
    }
  })

  test.each([
    ['an option that does not exist', 'partnerkey: x', /venue\.yaml: .*partnerkey/],
    ['a value that is none', 'opening: { USDC: much }', /venue\.yaml: opening\.USDC: not an amount of USDC/],
    ['the dialect that is gone', 'dialect: observed', /venue\.yaml: dialect: .*--venue measured/],
    ['no YAML', '{', /venue\.yaml: /],
  ])('names %s and ends with 2', async (_, text, words) => {
    const ended = await runHere(['sandbox', '--port', '0', '--options', file(text)])
    expect(ended.code).toBe(2)
    expect(ended.err).toMatch(words)
  })

  test('names a file that is not there', async () => {
    const ended = await runHere(['sandbox', '--options', join(folder, 'absent.yaml')])
    expect([ended.code, ended.err]).toEqual([2, expect.stringContaining('absent.yaml')])
  })
})

describe('the partner API of mizani sandbox', () => {
  test('is served beside the LP API, with a live key and payments by hand where the command line asks for them', async () => {
    const venue = await sandboxRunning('--live-key', 'svc_live_demo', '--pay-by-hand')
    try {
      const ask = async (path: string, key: string, body?: object) => {
        const response = await fetch(`${venue.url}${path}`, {
          method: body === undefined ? 'GET' : 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        })
        return { status: response.status, json: (await response.json()) as Record<string, unknown> }
      }
      expect((await ask('/v1/testmode', 'svc_test_sandbox')).status).toBe(200)
      expect((await ask('/v1/testmode', 'svc_live_demo')).json).toMatchObject({ error: 'test_mode_only' })
      const { json } = await ask('/sandbox/state', '')
      const { keys, settings } = json['partner'] as {
        keys: { owner: { userId: string } }[]
        settings: object
      }
      expect(settings).toMatchObject({ paysInstructions: false })
      const userId = keys[0]?.owner.userId
      const wish = { userId, amountTzs: 9_000, paymentMethod: 'bank_transfer' }
      const { json: asked } = await ask('/v1/deposits', 'svc_test_sandbox', wish)
      await ask('/sandbox/partner/pay', '', { reference: asked['reference'], amountTzs: 9_000 })
      expect((await ask(`/api/v1/users/${userId}`, 'svc_test_sandbox')).json).toMatchObject({
        balanceTzs: 9_000,
      })
    } finally {
      await venue.close()
    }
  })

  test.each([
    ['--live-key', 'svc_test_x', /begins with svc_live_/],
    ['--webhooks', 'ftp://x', /http or https/],
    ['--dialect', 'observed', /the dialect observed is gone: --venue measured/],
  ])('refuses %s %s with a sentence', async (option, value, words) => {
    const { code, err } = await runHere(['sandbox', '--port', '0', option, value])
    expect(code).toBe(2)
    expect(err).toMatch(words)
  })
})
