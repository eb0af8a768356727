import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { openMarket } from './daemon/open-market.ts'
import { positionFolder } from './daemon/position-folder.ts'
import { runDaemon } from './daemon/running-daemon.ts'
import { until } from './daemon/until.ts'

const NOWHERE = 'http://127.0.0.1:9'
/** A venue that does not answer in time refuses nothing: then a daemon starts. */
const PATIENT = { venue: { requestTimeoutMs: 30_000 } }

describe.concurrent('a daemon that may not start', () => {
  test('a second daemon on the same store ends with 1 and says who holds it; the first continues', async () => {
    await using market = await openMarket()
    await using first = market.start()
    await market.quoted(60, 70)
    const second = market.start()
    expect(await second.exit).toEqual({ code: 1, signal: null })
    expect(second.errors()).toContain(`process ${first.child.pid}`)
    expect(second.errors()).toContain('daemon per store')
    const before = (await first.state()).lastSeq
    await until('the first continues', async () => (await first.state()).lastSeq > before)
  })

  test('a key that the venue does not know ends it with 4 and one clear line', async () => {
    await using market = await openMarket({}, PATIENT)
    const daemon = market.start({ MIZANI_API_KEY: 'mm_not_a_key' })
    expect(await daemon.exit).toEqual({ code: 4, signal: null })
    const lines = linesOf(daemon.errors())
    expect(lines[0]).toMatch(/desk-1: .*the key \(401: /)
    expect(new Set(lines.map((line) => line.replace(/^desk-1: (?=desk-1)/, ''))).size).toBe(1)
    expect(daemon.output() + daemon.errors()).not.toContain('mm_not_a_key')
    expect(existsSync(market.folder.store)).toBe(false)
  })

  test('a key without permission ends it with 4 and says that it is the permission', async () => {
    await using market = await openMarket({ noPermissionKeys: ['mm_read_nothing'] }, PATIENT)
    const daemon = market.start({ MIZANI_API_KEY: 'mm_read_nothing' })
    expect(await daemon.exit).toEqual({ code: 4, signal: null })
    expect(daemon.errors()).toMatch(/the key \(403: /)
    expect(daemon.errors()).not.toContain('mm_read_nothing')
  })

  test.each([
    [
      'a secret in plain text',
      { venue: { apiKey: 'mm_plain' } },
      /mizani\.yaml:\d+:\d+ venue\.apiKey: secret in plain text/,
    ],
    [
      'a log in a folder that is not there',
      { log: { file: '/nowhere/mizani.log' } },
      /mizani\.yaml: log\.file: \/nowhere\/mizani\.log .*ENOENT/,
    ],
  ] as const)(
    'a configuration with %s ends it with 2 and the place, and nothing is started',
    async (_, patch, place) => {
      const folder = positionFolder(NOWHERE)
      const daemon = runDaemon({ configs: [folder.configure(patch)] })
      expect(await daemon.exit).toEqual({ code: 2, signal: null })
      expect(daemon.errors()).toMatch(place)
      expect(daemon.errors()).not.toContain('mm_plain')
      expect(daemon.output()).toBe('')
      expect(existsSync(folder.store)).toBe(false)
      folder.remove()
    },
  )

  test('one bad configuration of two starts neither position', async () => {
    await using market = await openMarket()
    const other = positionFolder(market.venue.url, 'desk-2')
    const daemon = runDaemon({ configs: [market.config, other.configure({ mode: 'alive' })] })
    expect(await daemon.exit).toEqual({ code: 2, signal: null })
    expect(existsSync(market.folder.store)).toBe(false)
    expect(market.venue.model.state.counters['requests'] ?? 0).toBe(0)
    other.remove()
  })
})

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '')
}
