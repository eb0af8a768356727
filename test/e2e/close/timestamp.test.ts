import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { requestTimestamp } from '../../../src/close/timestamp/request-timestamp.ts'
import { answersNonce, readTimestamp, timestampQuery } from '../../../src/close/timestamp/timestamp.ts'
import { needs } from '../../support/needs.ts'
import { openAuthority, serveAuthority } from './authority.ts'

const MESSAGE = Buffer.from('{"day":"2026-11-22"}')

describe.skipIf(needs('openssl'))('a time-stamp by an authority', () => {
  test('is asked for over HTTP, is of these bytes only, and openssl verifies it', async () => {
    const authority = openAuthority()
    const url = await serveAuthority((query) => ({ status: 200, body: authority.answer(query) }))
    const answer = await requestTimestamp(url, MESSAGE)
    if (!answer.ok) throw new Error(answer.error)
    const read = readTimestamp(answer.value, MESSAGE)
    expect(read.ok && Math.abs(Date.parse(read.value.at) - Date.now()) < 60_000).toBe(true)
    expect(readTimestamp(answer.value, Buffer.from('{}'))).toEqual({
      ok: false,
      error: 'it is of another close',
    })
    writeFileSync(join(authority.folder, 'close.json'), MESSAGE)
    writeFileSync(join(authority.folder, 'kept.tsr'), answer.value)
    const verified = authority.openssl(
      'ts',
      '-verify',
      '-data',
      'close.json',
      '-in',
      'kept.tsr',
      '-CAfile',
      'ca.pem',
    )
    expect(String(verified)).toContain('Verification: OK')
  })

  test('is refused where it is an old answer to another question, an error, or no time-stamp', async () => {
    const authority = openAuthority()
    const old = authority.answer(timestampQuery(MESSAGE, Buffer.from('00ff', 'hex')))
    const read = readTimestamp(old, MESSAGE)
    expect(read.ok && answersNonce(read.value, Buffer.from('ff', 'hex'))).toBe(true)
    const error = async (status: number, body: Buffer | string) => {
      const answer = await requestTimestamp(await serveAuthority(() => ({ status, body })), MESSAGE)
      return answer.ok ? null : answer.error
    }
    expect(await error(200, old)).toBe('the answer of the time-stamping authority is to another question')
    expect(await error(503, '')).toBe('the time-stamping authority answered with status 503')
    expect(await error(200, 'a page')).toContain('does not hold')
    expect(await error(200, Buffer.from('30053003020102', 'hex'))).toContain('with status 2')
    const silent = await requestTimestamp('http://127.0.0.1:1/', MESSAGE)
    expect(silent.ok ? '' : silent.error).toContain('did not answer')
  })
})
