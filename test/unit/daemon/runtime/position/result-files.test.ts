import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import type { LoadedConfig } from '../../../../../src/daemon/config/load/loaded-config.ts'
import { createResultReader, keepResult } from '../../../../../src/daemon/runtime/position/result-files.ts'
import { challengerSchema } from '../../../../../src/daemon/view/challenger-view.ts'
import { scorecardSchema } from '../../../../../src/daemon/view/scorecard-view.ts'
import { exampleChallenger } from '../../view/example-challenger.ts'
import { exampleRecalibration } from '../../view/results/example-recalibration.ts'
import { exampleRisk } from '../../view/results/example-risk.ts'
import { exampleScorecard } from '../../view/example-scorecard.ts'

const HOUR_MS = 3_600_000
const NOW = Date.UTC(2026, 10, 20, 14)
const root = mkdtempSync(join(tmpdir(), 'mizani-results-'))
let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(root, 'store-'))
})

const SCORECARD = exampleScorecard(NOW)
const CHALLENGER = exampleChallenger(NOW)
const RISK = exampleRisk(NOW)
const RECALIBRATION = exampleRecalibration(NOW)
const [FROM, TO] = [SCORECARD.card?.calibratedFrom ?? 0, SCORECARD.card?.calibratedTo ?? 0]

function configOf(changes: object = {}, name = 'desk-1'): LoadedConfig {
  return {
    core: { name, calibration: { learned: { from: FROM, to: TO } } },
    challenger: { use: CHALLENGER.use, params: CHALLENGER.params },
    store: { path: folder },
    ...changes,
  } as unknown as LoadedConfig
}

const shown = (config = configOf(), now = NOW) => createResultReader()(config, now)

/** What is shown of a result that is not known. */
const unknownChallenger = (why: string, at: unknown = expect.any(Number)) => ({
  since: null,
  at,
  compared: null,
  suspended: null,
  use: CHALLENGER.use,
  params: CHALLENGER.params,
  problem: `challenger.json in the store's folder ${why}; \`mizani challenger --config FILE --every 1h\` writes a new one`,
})

function write(text: string | Uint8Array, command = 'challenger'): void {
  writeFileSync(join(folder, `${command}.json`), text)
}

describe('the results that commands keep in the store', () => {
  test('are shown as they were kept, and again once a file has changed', async () => {
    const read = createResultReader()
    expect(read(configOf(), NOW).scorecard).toMatchObject({ at: null, card: null })
    expect(await keepResult(configOf(), 'scorecard', SCORECARD)).toEqual({ ok: true, value: null })
    await keepResult(configOf(), 'challenger', CHALLENGER)
    await keepResult(configOf(), 'risk', RISK)
    const shownSoFar = { scorecard: SCORECARD, challenger: CHALLENGER, risk: RISK, recalibration: null }
    expect(read(configOf(), NOW)).toEqual(shownSoFar)
    await keepResult(configOf(), 'recalibration', RECALIBRATION)
    expect(read(configOf(), NOW)).toEqual({ ...shownSoFar, recalibration: RECALIBRATION })
    await keepResult(configOf(), 'challenger', { ...CHALLENGER, at: NOW })
    expect(read(configOf(), NOW).challenger?.at).toBe(NOW)
    rmSync(join(folder, 'challenger.json'))
    expect(read(configOf(), NOW).challenger).toMatchObject(unknownChallenger('does not exist', null))
  })

  test('of a risk that is missing, cut off, older than 26 hours or of another position are unknown, with the reason', async () => {
    const unknown = (why: string, at: unknown) => ({
      at,
      measured: null,
      problem: `risk.json in the store's folder ${why}; \`mizani risk --config FILE --every 1h\` writes a new one`,
    })
    expect(shown().risk).toEqual(unknown('does not exist', null))
    write(JSON.stringify(RISK).slice(0, -40), 'risk')
    expect(shown().risk).toEqual(unknown('cannot be read (it is not JSON)', null))
    await keepResult(configOf({}, 'desk-2'), 'risk', RISK)
    expect(shown().risk?.problem).toContain('another position')
    await keepResult(configOf(), 'risk', RISK)
    expect(shown(configOf(), NOW + 27 * HOUR_MS).risk).toEqual(unknown('is older than 26 hours', RISK.at))
  })

  test('are null where nothing is configured, whatever the files hold', () => {
    write('{')
    const none = configOf({ core: { name: 'desk-1', calibration: null }, challenger: null })
    expect(shown(none)).toMatchObject({ scorecard: null, challenger: null })
  })

  test('of a daemon of 0.2.0, which wrote no position, are shown', () => {
    write(JSON.stringify(CHALLENGER))
    expect(shown().challenger).toEqual(CHALLENGER)
  })

  test('of another position, calibration or challenger are unknown', async () => {
    await keepResult(configOf({}, 'desk-2'), 'challenger', CHALLENGER)
    expect(shown().challenger).toMatchObject(unknownChallenger('belongs to another position', null))
    await keepResult(configOf(), 'challenger', CHALLENGER)
    const tighter = configOf({ challenger: { use: CHALLENGER.use, params: { bidBps: 59 } } })
    expect(shown(tighter).challenger).toMatchObject({
      params: { bidBps: 59 },
      compared: null,
      problem: expect.stringContaining('a different challenger'),
    })
    await keepResult(configOf(), 'scorecard', SCORECARD)
    const newer = configOf({ core: { name: 'desk-1', calibration: { learned: { from: FROM, to: TO + 1 } } } })
    expect(shown(newer).scorecard).toMatchObject({
      at: SCORECARD.at,
      card: null,
      outsideSince: null,
      problem: expect.stringContaining('a different calibration'),
    })
  })

  test('that are older than 26 hours or of the future are unknown, and an old one has its age', async () => {
    await keepResult(configOf(), 'challenger', { ...CHALLENGER, at: NOW })
    expect(shown(configOf(), NOW + 26 * HOUR_MS).challenger?.compared).not.toBeNull()
    const old = shown(configOf(), NOW + 26 * HOUR_MS + 1).challenger
    expect(old).toMatchObject(unknownChallenger('is older than 26 hours', NOW))
    const future = unknownChallenger('has no time, or one in the future', null)
    expect(shown(configOf(), NOW - HOUR_MS).challenger).toMatchObject(future)
  })

  test.each([
    ['is empty', ''],
    ['is cut off', JSON.stringify(CHALLENGER).slice(0, 200)],
    ['is bytes', new Uint8Array(1_000).fill(255)],
    ['is nested without an end', '['.repeat(60_000)],
    ['is null', 'null'],
    ['has figures that are no numbers', JSON.stringify({ ...CHALLENGER, compared: { from: 'now' } })],
    ['has an infinite figure', JSON.stringify(CHALLENGER).replace('1379188.6', '1e999')],
    ['names a position that is no text', JSON.stringify({ ...CHALLENGER, position: { desk: 1 } })],
    [
      'hides nested parameters',
      JSON.stringify({ ...CHALLENGER, params: 0 }).replace(
        '"params":0',
        `"params":${'[['.repeat(9_000)}${']]'.repeat(9_000)}`,
      ),
    ],
    ['is larger than any result', JSON.stringify({ ...CHALLENGER, more: 'x'.repeat(65_536) })],
  ])('that a stranger wrote are unknown: a file that %s', (_what, text) => {
    write(text)
    utimesSync(join(folder, 'challenger.json'), NOW / 1_000 - 60, NOW / 1_000 - 60)
    const { challenger } = shown()
    expect(challenger).toMatchObject({ since: null, compared: null, suspended: null })
    expect(JSON.stringify(challenger).length).toBeLessThan(500)
    expect(challengerSchema.parse(challenger)).toEqual(challenger)
  })

  test('that are a folder or a device are unknown, and the text of no file is quoted', () => {
    mkdirSync(join(folder, 'scorecard.json'))
    symlinkSync('/dev/zero', join(folder, 'challenger.json'))
    expect(shown().scorecard?.problem).toMatch(/regular file|EISDIR/)
    expect(shown().challenger?.problem).toContain('regular file')
    rmSync(join(folder, 'challenger.json'))
    writeFileSync(join(folder, 'secret'), 'hunter2 hunter2')
    symlinkSync(join(folder, 'secret'), join(folder, 'challenger.json'))
    expect(shown().challenger?.problem).toContain('not JSON')
    expect(JSON.stringify(shown())).not.toContain('hunter2')
  })

  test('with any field replaced are a valid view or unknown', async () => {
    await keepResult(configOf(), 'scorecard', SCORECARD)
    const kept = readFileSync(join(folder, 'scorecard.json'), 'utf8')
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(JSON.parse(kept))), fc.jsonValue(), (key, value) => {
        write(JSON.stringify({ ...JSON.parse(kept), [key]: value }), 'scorecard')
        const { scorecard } = shown()
        expect(scorecardSchema.parse(scorecard)).toEqual(scorecard)
      }),
      { numRuns: 40 },
    )
  })

  test('that cannot be kept are an error with the file', async () => {
    const gone = configOf({ store: { path: join(folder, 'gone') } })
    expect(await keepResult(gone, 'scorecard', SCORECARD)).toMatchObject({
      ok: false,
      error: expect.stringContaining('scorecard.json'),
    })
  })
})
