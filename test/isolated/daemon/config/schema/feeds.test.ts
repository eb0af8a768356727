import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { needsRestart } from '../../../../../src/daemon/runtime/worker/needs-restart.ts'
import { isOfVenue } from '../../../../../src/daemon/config/load/feeds.ts'
import { ENV, load, problemsOf, VALID } from '../../../../unit/daemon/config/config-fixture.ts'

const TZS = 10n ** 18n
const KEYS = { ...ENV, FEED_KEY: 'feed-key-81', FEED_URL: 'https://rates.example/v6/feed-key-81/latest' }

const withFeeds = (lines: string) => `${VALID}feeds:\n${lines}\n`
const HTTP = "- { name: board, http: { url: 'https://rates.example/latest', path: rates.TZS } }"

async function loaded(text: string) {
  const config = await load(text, {}, KEYS)
  if (!config.ok) throw new Error(config.error.map(({ path, message }) => `${path}: ${message}`).join('\n'))
  return config.value
}

describe('the feeds of a configuration', () => {
  test('have defaults for all but name and source, and the core is given how to judge them', async () => {
    const { core, feeds } = await loaded(withFeeds(HTTP))
    expect(core.feeds).toEqual([
      {
        name: 'board',
        origin: 'independent',
        staleAfterMs: 300_000,
        frozenAfterMs: 345_600_000,
        band: { min: TZS, max: 1_000_000n * TZS },
        weight: 1,
      },
    ])
    expect(feeds[0]).toMatchObject({ everyMs: 30_000, source: { kind: 'http', timeoutMs: 4_000 } })
    expect(core.risk.maxReferenceDeviationBps).toBe(300)
  })

  test('have the price corridor as their band where they name none', async () => {
    const text = withFeeds(HTTP).replace('risk: {', "risk: { priceCorridor: { min: '2300', max: '2900' },")
    expect((await loaded(text)).core.feeds?.[0]?.band).toEqual({ min: 2_300n * TZS, max: 2_900n * TZS })
  })

  test('may hold keys in the address and in headers, and no text of a configuration shows them', async () => {
    const feed =
      '- { name: board, http: { url: !env FEED_URL, path: rates.TZS, headers: { authorization: !env FEED_KEY } } }'
    const config = await loaded(withFeeds(feed))
    const [source] = config.feeds.map((one) => one.source)
    expect(source?.kind === 'http' ? source.headers['authorization']?.reveal() : null).toBe('feed-key-81')
    expect(
      JSON.stringify(config.feeds, (_key, value: unknown) => (typeof value === 'bigint' ? '' : value)),
    ).not.toContain('feed-key-81')
  })

  test('are relative to the configuration where they are files, and a fixed one never freezes', async () => {
    const { feeds, core, file } = await loaded(
      withFeeds(
        "- { name: desk, file: { file: rate.txt } }\n- { name: board, csv: { file: /srv/rates.csv, column: mid } }\n- { name: peg, fixed: { mid: '2500.123456789012345678' } }",
      ),
    )
    expect(feeds.map(({ source }) => source)).toEqual([
      { kind: 'file', file: join(file, '../rate.txt'), path: null, timePath: null },
      { kind: 'csv', file: '/srv/rates.csv', column: 'mid', timeColumn: null },
      { kind: 'fixed', mid: 2_500_123_456_789_012_345_678n },
    ])
    expect(core.feeds?.map(({ frozenAfterMs }) => frozenAfterMs)).toEqual([345_600_000, 345_600_000, null])
  })

  test.each([
    ['no source', '- { name: board }', '0 sources'],
    ['two sources', "- { name: board, file: { file: a }, fixed: { mid: '2500' } }", '2 sources'],
    ['the same name twice', `${HTTP}\n${HTTP}`, 'the same name twice'],
    ['a name for a metric that is none', HTTP.replace('board', 'Board 1'), 'not a name'],
    ['a key in plain text', HTTP.replace('path:', 'headers: { x-key: abc }, path:'), 'secret in plain text'],
    ['a user in the address', HTTP.replace('rates.example', 'me:pw@rates.example'), 'not an address'],
    ['plain http away from this machine', HTTP.replace('https', 'http'), 'allowPlainHttp'],
    [
      'a variable that is not set',
      HTTP.replace("'https://rates.example/latest'", '!env NONE'),
      'NONE is not set',
    ],
    ['an empty band', HTTP.replace(' } }', " }, band: { min: '2', max: '1' } }"), 'not above min'],
    ['an end with the first failure', HTTP.replace(' } }', ' }, staleAfterMs: 60000 }'), 'at least 90000'],
    ['a busy loop', HTTP.replace(' } }', ' }, everyMs: 100 }'), 'everyMs'],
    ['no weight', HTTP.replace(' } }', ' }, weight: 0 }'), 'weight'],
  ])('with %s are refused', async (_name, lines, message) => {
    expect((await problemsOf(withFeeds(lines), KEYS)).join('\n')).toContain(message)
  })

  test('plain http is taken on this machine, and elsewhere where the file says so', async () => {
    const here = HTTP.replace('https://rates.example', 'http://127.0.0.1:9000')
    expect((await loaded(withFeeds(here))).core.feeds?.[0]?.origin).toBe('independent')
    const allowed = HTTP.replace('https', 'http').replace('path:', 'allowPlainHttp: true, path:')
    expect((await loaded(withFeeds(allowed))).core.feeds).toHaveLength(1)
  })

  test('change by restart only, the keys in them included', async () => {
    const feed = HTTP.replace('path:', 'headers: { x-key: !env FEED_KEY }, path:')
    const before = await loaded(withFeeds(feed))
    const other = await load(withFeeds(feed), {}, { ...KEYS, FEED_KEY: 'another' })
    if (!other.ok) throw new Error('refused')
    expect(needsRestart(before, { ...other.value, store: before.store })).toEqual(['feeds'])
    expect(needsRestart(before, { ...before })).toEqual([])
  })
})

describe('a feed that the venue itself answers', () => {
  test('is counted as the venue’s, whatever the file says of its origin', async () => {
    const feed =
      "- { name: mirror, origin: independent, http: { url: 'http://127.0.0.1:8787/api/v1/swap/rate', path: mid } }"
    expect((await loaded(withFeeds(feed))).core.feeds?.[0]?.origin).toBe('venue')
  })

  test.each([
    ['https://api.venue.example/rates', 'https://api.venue.example', true],
    ['https://API.venue.example.:8443/rates', 'https://api.venue.example', true],
    ['https://rates.venue.example', 'https://api.venue.example', true],
    ['https://venue.example', 'https://api.venue.example', true],
    ['https://eu.api.venue.example', 'https://api.venue.example', true],
    ['https://api.venue.example', 'https://venue.example', true],
    ['https://rates.bank.co.tz', 'https://api.venue.co.tz', false],
    ['https://rates.venue.co.tz', 'https://api.venue.co.tz', true],
    ['https://rates.bank.co.tz', 'https://venue.co.tz', false],
    ['https://notvenue.example', 'https://venue.example', false],
    ['https://venue.example.evil.example', 'https://venue.example', false],
    ['https://203.0.113.7', 'https://203.0.113.7:8443', true],
    ['https://203.0.113.8', 'https://203.0.113.7', false],
    ['http://127.0.0.1:9000', 'http://127.0.0.1:8787', false],
    ['http://localhost:8787', 'http://127.0.0.1:8787', true],
  ])('%s beside %s: %s', (feed, venue, expected) => {
    expect(isOfVenue(feed, [venue])).toBe(expected)
  })
})
