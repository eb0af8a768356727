import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readContact } from '../../../../../src/daemon/config/load/contact.ts'

const folder = mkdtempSync(join(tmpdir(), 'mizani-contact-'))

const WHOLE = `name: desk-1
venue:
  baseUrl: https://venue.example
  apiKey: !env NOT_SET
strategy: { use: gone.ts }
http:
  port: 9500
  token: !env TOKEN
store: { path: /var/lib/desk }
`
const ENV = { TOKEN: 'a-token-of-24-characters-' }

function contactOf(text: string, env: Record<string, string> = ENV, name = 'mizani.yaml') {
  const file = join(folder, name)
  writeFileSync(file, text)
  const { http, ...contact } = readContact(file, env)
  return [contact.name, http.host, http.port, http.token?.reveal() ?? null, contact.storePath]
}

const FOUND: (string | number | null)[] = ['desk-1', '127.0.0.1', 9_500, ENV.TOKEN, '/var/lib/desk']

test.each([
  ['secrets that are not set', WHOLE],
  ['an unknown key', `${WHOLE}nonsense: 1\n`],
  ['a value of the wrong type', WHOLE.replace('name:', 'risk: 7\nname:')],
  ['a key that stands twice', `${WHOLE}risk: {}\nrisk: {}\n`],
  ['a bracket that is never closed', `${WHOLE}risk: {maxLossTzs: [1\n`],
  ['a plain-text secret', WHOLE.replace('!env NOT_SET', 'mm_live_secret')],
])('a file with %s still shows where its daemon is', (_, text) => {
  expect(contactOf(text)).toEqual(FOUND)
})

test('what cannot be read of the address itself is its default', () => {
  expect(contactOf('http: { port: none, token: plain }\nname: [1]\n')).toEqual([
    null,
    '127.0.0.1',
    9_464,
    null,
    './data',
  ])
  expect(contactOf(WHOLE, {})).toEqual(FOUND.with(3, null))
})

test('port 0 is no port of another daemon: only the socket leads to a daemon on a free port', () => {
  expect(contactOf(WHOLE.replace('9500', '0'))).toEqual(FOUND.with(2, 0))
})

test('a file of a fleet takes the address and the parent of its store from the defaults beside it', () => {
  mkdirSync(join(folder, 'fleet'))
  contactOf('fleet: {}\nhttp: { port: 9600 }\nstore: { path: stores }\n', ENV, 'fleet/defaults.yaml')
  expect(contactOf('name: desk-2\n', ENV, 'fleet/desk-2.yaml')).toEqual([
    'desk-2',
    '127.0.0.1',
    9_600,
    null,
    'stores/desk-2',
  ])
})

test('any text gives an address, and nothing is thrown', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.integer({ min: 0, max: WHOLE.length })), (cut) => {
      const contact = contactOf(typeof cut === 'string' ? cut : WHOLE.slice(0, cut))
      expect(contact[1]).toBe('127.0.0.1')
    }),
    { numRuns: 25 },
  )
  expect(readContact(join(folder, 'not-there.yaml'), {}).name).toBe(null)
})
