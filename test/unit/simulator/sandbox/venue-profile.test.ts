import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { configLike, readProfile, venueLike } from '../../../../src/simulator/sandbox/venue-profile.ts'
import { OBSERVED_IS_GONE } from '../../../../src/simulator/sandbox/observed-is-gone.ts'
import type { Profile } from '../../../../src/research/conformance/profile.ts'

const folder = mkdtempSync(join(tmpdir(), 'mizani-profile-'))

const NOTHING: Profile['sandbox'] = {
  bidFormula: null,
  protocolFeeBps: null,
  feeFrom: null,
  toleranceBps: null,
  venue: null,
  requestsPerMinute: null,
  publicRequestsPerMinute: null,
}

function profileWith(sandbox: Partial<Profile['sandbox']>): string {
  const file = join(folder, 'venue.json')
  const about = { version: 1, position: 'desk-1', from: null, to: null, events: 0, traits: [] }
  writeFileSync(file, JSON.stringify({ ...about, sandbox: { ...NOTHING, ...sandbox } }))
  return file
}

describe('a profile of a venue', () => {
  test('gives the simulated venue all that was learned, and nothing that was not', () => {
    const learned = { protocolFeeBps: 25, feeFrom: 'pool', requestsPerMinute: 30 } as const
    expect(venueLike(profileWith(learned))).toEqual({ ok: true, value: learned })
    expect(venueLike(profileWith({}))).toEqual({ ok: true, value: {} })
    expect(venueLike(undefined)).toEqual({ ok: true, value: {} })
  })

  test('of 0.2.0 that names the dialect observed is refused, unless it names a kind of venue too', () => {
    const { venue: _, ...before } = NOTHING
    const file = join(folder, 'before.json')
    const about = { version: 1, position: 'desk-1', from: null, to: null, events: 0, traits: [] }
    const like = (sandbox: object) => {
      writeFileSync(file, JSON.stringify({ ...about, sandbox }))
      return venueLike(file)
    }
    expect(like({ ...before, dialect: 'observed' })).toEqual({
      ok: false,
      error: `${file}: sandbox.dialect: ${OBSERVED_IS_GONE}; write "venue": "measured" in its place`,
    })
    expect(like({ ...before, dialect: 'contract' })).toEqual({ ok: true, value: {} })
    expect(like({ ...before, dialect: 'observed', venue: 'measured' })).toEqual({
      ok: true,
      value: { venue: 'measured' },
    })
  })

  test('gives a backtest its prices and routing, and says what a backtest leaves out', () => {
    const priced = { bidFormula: 'multiply', protocolFeeBps: 0, toleranceBps: 12 } as const
    expect(configLike(profileWith({ ...priced, feeFrom: 'position', requestsPerMinute: 30 }))).toEqual({
      ok: true,
      value: {
        changes: { 'venue.bidFormula': 'multiply', 'venue.protocolFeeBps': 0, 'venue.toleranceBps': 12 },
        left: null,
      },
    })
    expect(configLike(profileWith({ feeFrom: 'pool' }))).toEqual({
      ok: true,
      value: { changes: {}, left: expect.stringContaining('from the pool') },
    })
    expect(configLike(undefined)).toEqual({ ok: true, value: { changes: {}, left: null } })
  })

  test.each([
    ['that is not there', 'absent.json', null, /absent\.json: no profile can be read: ENOENT/],
    ['that is no JSON', 'text.json', 'a profile', /text\.json: no profile can be read: /],
    ['of something else', 'other.json', '{"version": 2}', /other\.json: version: /],
    ['with nothing in it', 'null.json', 'null', /null\.json: .*mizani conformance --out/],
  ])('%s is refused with its name', (_, name, text, words) => {
    const file = join(folder, name)
    if (text !== null) writeFileSync(file, text)
    for (const read of [readProfile, venueLike, configLike])
      expect(read(file)).toEqual({ ok: false, error: expect.stringMatching(words) })
  })
})
