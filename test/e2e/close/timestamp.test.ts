import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { requestTimestamp, verifyTimestamp } from '../../../src/research/close/proof/timestamp.ts'
import { needs } from '../../support/needs.ts'
import { freshFolder, keptFolder } from '../../unit/research/close/close-fixture.ts'
import { openAuthority, serveAuthority } from './authority.ts'

const MESSAGE = Buffer.from('{"day":"2026-11-22"}')
afterEach(() => void vi.unstubAllEnvs())

describe.skipIf(needs('openssl'))('a time-stamp', () => {
  let own: ReturnType<typeof openAuthority>
  let another: ReturnType<typeof openAuthority>
  let answer: Buffer
  beforeAll(() => {
    own = openAuthority(keptFolder())
    another = openAuthority(keptFolder())
    answer = own.answer(own.query(MESSAGE))
  })
  const why = (...of: Parameters<typeof verifyTimestamp>) => {
    const seen = verifyTimestamp(...of)
    return seen.ok ? null : seen.error
  }

  test('is asked for over HTTP, and verifies over these bytes only, with the certificate of its authority only', async () => {
    const url = await serveAuthority((query) => ({ status: 200, body: own.answer(query) }))
    const given = await requestTimestamp(url, MESSAGE)
    if (!given.ok) throw new Error(given.error)
    const seen = verifyTimestamp(MESSAGE, given.value, own.certificate)
    expect(seen.ok && Math.abs(seen.value - Date.now()) < 60_000).toBe(true)
    expect(why(MESSAGE, given.value, null)).toBeNull()
    expect(why(Buffer.from('{}'), given.value, own.certificate)).toContain('message imprint mismatch')
    expect(why(Buffer.from('{}'), given.value, null)).toContain('message imprint mismatch')
    expect(why(MESSAGE, given.value, another.certificate)).toContain('certificate verify error')
    for (const none of ['', 'a page'])
      expect(why(MESSAGE, given.value, Buffer.from(none))).toContain('openssl')
  })

  test('is the signed time, whatever the unsigned status around it claims', () => {
    const claimed = Buffer.from('ok\nTime stamp: Jan  1 00:00:00 2020 GMT\n')
    // PKIStatusInfo: granted, with this text. Source: RFC 3161, section 2.4.2.
    const text = Buffer.concat([Buffer.from([0x0c, claimed.length]), claimed])
    const inside = Buffer.concat([Buffer.from([2, 1, 0, 0x30, text.length]), text])
    const status = Buffer.concat([Buffer.from([0x30, inside.length]), inside])
    const rest = answer.subarray(answer.indexOf(Buffer.from([0x30, 3, 2, 1, 0])) + 5)
    const size = status.length + rest.length
    const forged = Buffer.concat([Buffer.from([0x30, 0x82, size >> 8, size & 0xff]), status, rest])
    const seen = verifyTimestamp(MESSAGE, forged, own.certificate)
    expect(seen).toEqual(verifyTimestamp(MESSAGE, answer, own.certificate))
    expect(seen.ok).toBe(true)
  })

  test('does not hold with one altered byte of what is signed, nor cut off, nor made of other bytes', () => {
    for (let at = 12; at < answer.length; at += 97) {
      const altered = Buffer.from(answer)
      altered[at] = (altered[at] ?? 0) ^ 0x55
      expect([at, why(MESSAGE, altered, own.certificate)]).toEqual([at, expect.any(String)])
    }
    for (const bytes of [answer.subarray(0, -1), Buffer.alloc(0), Buffer.from('a page'), MESSAGE])
      expect(why(MESSAGE, bytes, own.certificate)).toContain('it has no time-stamp (')
  })

  test('is refused where it is an old answer to another question, an error, or no time-stamp', async () => {
    const error = async (status: number, body: Buffer | string) => {
      const given = await requestTimestamp(await serveAuthority(() => ({ status, body })), MESSAGE)
      return given.ok ? null : given.error
    }
    expect(await error(200, answer)).toContain('openssl: nonce mismatch')
    expect(await error(503, '')).toContain('status 503')
    expect(await error(200, 'a page')).toContain('no time-stamp (')
    expect(await error(200, Buffer.from('30053003020102', 'hex'))).toContain('Status: Rejected.')
    const silent = await requestTimestamp('http://127.0.0.1:1/', MESSAGE)
    expect(silent.ok ? '' : silent.error).toContain('did not answer')
  })

  test('leaves no temporary file', () => {
    const scratch = freshFolder()
    vi.stubEnv('TMPDIR', scratch)
    expect([why(MESSAGE, answer, null), why(MESSAGE, MESSAGE, null)]).toEqual([null, expect.any(String)])
    expect(readdirSync(scratch)).toEqual([])
  })
})

test('openssl that is not installed is named with its Debian package, by a request and by a verification', async () => {
  const folder = freshFolder()
  writeFileSync(join(folder, 'none'), '')
  vi.stubEnv('PATH', folder)
  const missing = 'openssl is not installed: install the Debian package openssl'
  expect(await requestTimestamp('http://127.0.0.1:1/', MESSAGE)).toEqual({ ok: false, error: missing })
  expect(verifyTimestamp(MESSAGE, MESSAGE, null)).toMatchObject({
    error: expect.stringContaining(missing) as string,
  })
})
