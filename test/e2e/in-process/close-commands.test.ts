import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { close, type CloseOptions } from '../../../src/cli/close/close.ts'
import { verifyClose } from '../../../src/cli/close/verify-close.ts'
import { LOCK, sha256, SUFFIX } from '../../../src/research/close/folder/names.ts'
import { renderBooks } from '../../../src/research/close/folder/write-day.ts'
import { drillsFile, keptResultText } from '../../../src/store/kept-drills.ts'
import { captured } from '../../support/captured.ts'
import { needs } from '../../support/needs.ts'
import { freshFolder } from '../../unit/research/close/close-fixture.ts'
import { newKey } from '../close/keys.ts'
import {
  documentOf,
  FIRST,
  NOW,
  position,
  recordStore,
  SECOND,
} from '../../unit/cli/close/recorded-position.ts'

beforeAll(recordStore)
afterEach(() => {
  process.exitCode = 0
  vi.restoreAllMocks()
})

/** Two positions in the folder of a fleet. */
function fleet() {
  const folder = freshFolder()
  const at = position('desk-1', {}, folder)
  position('desk-2', {}, folder)
  for (const name of ['desk-1', 'desk-2']) {
    const text = readFileSync(join(folder, `${name}.yaml`), 'utf8')
    writeFileSync(
      join(folder, `${name}.yaml`),
      text.replace(`"path":"${join(folder, 'data', name)}"`, `"path":"${join(folder, 'data')}"`),
    )
  }
  writeFileSync(join(folder, 'defaults.yaml'), 'fleet: {}')
  return { folder, at, out: join(freshFolder(), 'closes') }
}

describe('the commands', () => {
  beforeEach(() => void vi.useFakeTimers({ now: NOW, toFake: ['Date'] }))
  afterEach(() => void vi.useRealTimers())
  const options = (at: ReturnType<typeof position>, more: Partial<CloseOptions> = {}): CloseOptions => ({
    config: at.file,
    day: FIRST,
    out: at.out,
    ...more,
  })

  test('print what was closed, and as JSON the figures of the day', async () => {
    const at = position()
    const { text, exitCode } = await captured(() => close(options(at)))
    expect([exitCode, text]).toEqual([
      0,
      expect.stringMatching(/^desk-1, 2026-11-20: final; 2 fills, \d+ entries, .*\nsha-256 [0-9a-f]{64}, /),
    ])
    const json = await captured(() => close(options(at, { json: true, day: SECOND })))
    expect(JSON.parse(json.text)).toMatchObject({
      position: 'desk-1',
      day: SECOND,
      status: 'final',
      isNew: true,
    })
    const refused = await captured(() => close(options(at, { day: '2026-11-27' })))
    expect(refused).toMatchObject({ exitCode: 1, text: expect.stringContaining('desk-1: ') as string })
  })

  test('exit with 0 for a day that is not over, and name the close that will replace this one', async () => {
    const at = position()
    const provisional = await captured(() => close(options(at, { day: 'today' })))
    expect(provisional).toMatchObject({
      exitCode: 0,
      text: expect.stringMatching(/: provisional; [^]+final close/) as string,
    })
    vi.setSystemTime(NOW + 24 * 3_600_000)
    expect(await captured(() => close(options(at, { day: 'yesterday' })))).toMatchObject({
      exitCode: 0,
      text: expect.stringContaining('desk-1, 2026-11-23: final;') as string,
    })
  })

  test('keep with the close the digests of configuration and packages, and the controls that were set', async () => {
    const at = position()
    const drill = { name: 'mid-lies', passed: true, noticeMs: 1, safeMs: 2, costUsd: null }
    writeFileSync(drillsFile(at.store), keptResultText([{ ...drill, at: '2026-11-19T10:00:00Z' }]))
    expect(await captured(() => close(options(at)))).toMatchObject({ exitCode: 0 })
    const { evidence } = documentOf(at.out, FIRST)
    expect(evidence).toMatchObject({
      strategy: { use: 'fixed-spread' },
      packages: { file: 'package-lock.json', sha256: sha256(readFileSync('package-lock.json')) },
    })
    expect(evidence?.configurationSha256).toMatch(/^[0-9a-f]{64}$/)
    expect(evidence?.controls).toContainEqual({
      name: 'price collar of every quote and order',
      rules: ['RTS 6 15(1)(a)', '15c3-5(c)(1)(ii)'],
      value: '2300 to 2900 TZS per USD',
      lastDrill: { name: 'mid-lies', at: '2026-11-19T10:00:00.000Z', passed: true },
    })
    expect(evidence?.controls).toContainEqual(
      expect.objectContaining({ value: 'not read: it is next to secrets' }),
    )
    const page = readFileSync(join(at.out, `${FIRST}.html`), 'utf8')
    expect(page).toContain(evidence?.configurationSha256 ?? 'none')
    expect(page).toContain('mid-lies passed 2026-11-19')

    // The configuration may change later: the day is closed as it was.
    writeFileSync(at.file, `${readFileSync(at.file, 'utf8')}\n`)
    const again = await captured(() => close(options(at)))
    expect(again).toMatchObject({
      exitCode: 0,
      text: expect.stringContaining('closed already') as string,
    })
    expect(documentOf(at.out, FIRST).evidence).toEqual(evidence)
  })

  test('close nothing where the kept drills cannot be read, and name their file', async () => {
    const at = position()
    writeFileSync(drillsFile(at.store), 'no JSON')
    const { text, exitCode } = await captured(() => close(options(at)))
    expect([exitCode, text]).toEqual([1, expect.stringContaining(drillsFile(at.store))])
    expect(existsSync(at.out)).toBe(false)
  })

  test('write the close and exit with 1 where the time-stamping authority does not answer', async () => {
    const at = position('desk-1', { timestamp: 'http://127.0.0.1:1/tsa' })
    const { text, exitCode } = await captured(() => close(options(at)))
    expect([exitCode, text]).toEqual([1, expect.stringContaining('NOT TIME-STAMPED: ')])
    expect(await captured(() => verifyClose(at.out, {}))).toMatchObject({ exitCode: 0 })
  })

  test('close each position of a fleet, without its secrets, into a folder of its own, which verify-close finds', async () => {
    const { folder, at, out } = fleet()
    const { text, exitCode } = await captured(() => close({ fleet: folder, day: FIRST, out }))
    expect([exitCode, text]).toEqual([0, expect.stringMatching(/desk-1, 2026-11-20[^]+desk-2, 2026-11-20/)])
    expect(readdirSync(out)).toEqual(['desk-1', 'desk-2', 'fleet.json', LOCK])
    const verified = await captured(() => verifyClose(out, { json: true }))
    expect(JSON.parse(verified.text)).toMatchObject([
      { position: 'desk-1', holds: true },
      { position: 'desk-2', holds: true },
    ])
    writeFileSync(at.file, 'no configuration')
    const missed = await captured(() => close({ fleet: folder, day: FIRST, out }))
    expect([missed.exitCode, missed.text]).toEqual([1, expect.stringContaining('desk-2, 2026-11-20')])
    rmSync(join(folder, 'desk-2.yaml'))
    expect(await captured(() => close({ fleet: folder, day: FIRST, out }))).toMatchObject({ exitCode: 2 })
  })

  test('verify-close reports a position of a fleet whose folder, or whose close of a day, is gone', async () => {
    const { folder, out } = fleet()
    for (const day of [FIRST, SECOND]) await captured(() => close({ fleet: folder, day, out }))
    expect(documentOf(join(out, 'desk-1'), FIRST).fleet).toEqual(['desk-1', 'desk-2'])
    cpSync(out, `${out}-kept`, { recursive: true })
    const missing = (day: string) => `${day}: the close of desk-2, which was made with it, is missing`
    rmSync(join(out, 'desk-2'), { recursive: true })
    expect(await captured(() => verifyClose(out, {}))).toMatchObject({
      exitCode: 1,
      text: expect.stringContaining(`${missing(FIRST)}\n${missing(SECOND)}`) as string,
    })
    cpSync(`${out}-kept`, out, { recursive: true })
    for (const suffix of Object.values(SUFFIX))
      rmSync(join(out, 'desk-2', `${SECOND}${suffix}`), { force: true })
    for (const [name, bytes] of renderBooks('desk-2', [FIRST]))
      writeFileSync(join(out, 'desk-2', name), bytes)
    const { text, exitCode } = await captured(() => verifyClose(out, {}))
    expect([exitCode, text]).toEqual([1, expect.stringContaining(missing(SECOND))])
    expect(text).toContain('desk-2: 1 closes hold')
  })

  test('verify-close reports a fleet of which every folder, or the last close of every folder, is gone', async () => {
    const { folder, out } = fleet()
    for (const day of [FIRST, SECOND]) await captured(() => close({ fleet: folder, day, out }))
    cpSync(out, `${out}-kept`, { recursive: true })
    for (const name of ['desk-1', 'desk-2']) rmSync(join(out, name), { recursive: true })
    const gone = await captured(() => verifyClose(out, {}))
    expect([gone.exitCode, gone.text]).toEqual([
      1,
      expect.stringContaining(
        `the closes of desk-1, from ${FIRST} on, are missing\nthe closes of desk-2, from`,
      ),
    ])
    cpSync(`${out}-kept`, out, { recursive: true })
    expect(await captured(() => verifyClose(out, {}))).toMatchObject({ exitCode: 0 })
    for (const name of ['desk-1', 'desk-2']) {
      for (const suffix of Object.values(SUFFIX))
        rmSync(join(out, name, `${SECOND}${suffix}`), { force: true })
      for (const [file, bytes] of renderBooks(name, [FIRST])) writeFileSync(join(out, name, file), bytes)
    }
    const cut = await captured(() => verifyClose(out, {}))
    expect([cut.exitCode, cut.text]).toEqual([1, expect.stringContaining(`desk-2 of ${SECOND} is missing`)])
    writeFileSync(join(out, 'fleet.json'), '{}')
    expect((await captured(() => verifyClose(out, {}))).text).toContain('fleet.json was changed')
    expect((await captured(() => close({ fleet: folder, day: SECOND, out }))).text).toContain(
      'fleet.json was changed',
    )
  })

  test.skipIf(needs('ssh-keygen'))(
    'the index of a fleet is signed with its closes, and keeps a position that has left the fleet',
    async () => {
      const { folder, out } = fleet()
      const { path: key, publicKey } = newKey()
      await captured(() => close({ fleet: folder, day: FIRST, out }))
      rmSync(join(folder, 'desk-2.yaml'))
      await captured(() => close({ fleet: folder, day: SECOND, out }))
      rmSync(join(out, 'desk-2'), { recursive: true })
      expect((await captured(() => verifyClose(out, {}))).text).toContain('closes of desk-2, from')
      const signers = join(out, '..', 'signers')
      const verified = async (line: string) => {
        writeFileSync(signers, line)
        return (await captured(() => verifyClose(out, { signers }))).text
      }
      const path = join(out, 'fleet.json')
      expect(await verified(`amina ${publicKey}`)).toContain('fleet.json is not signed')
      await captured(() => close({ fleet: folder, day: SECOND, out, key }))
      expect(await verified(`amina ${publicKey}`)).not.toMatch(/fleet.json/)
      // The closes are of the time at which the key was allowed; when it signed the index, no one can see.
      const expired = `amina valid-before="${SECOND.replaceAll('-', '')}Z" ${publicKey}`
      expect(await verified(expired)).toMatch(/fleet.json.sig is by SHA256:\S+, .* expired/)
      writeFileSync(path, readFileSync(path, 'utf8').replace('desk-2', 'desk-3'))
      expect(await verified(`amina ${publicKey}`)).toContain('fleet.json.sig does not hold: ssh-keygen: ')
    },
  )

  test('a position of a fleet that has nothing of the day yet is not listed as closed with the others', async () => {
    const { folder, out } = fleet()
    rmSync(join(folder, 'data', 'desk-2'), { recursive: true })
    expect(await captured(() => close({ fleet: folder, day: FIRST, out }))).toMatchObject({ exitCode: 1 })
    expect(documentOf(join(out, 'desk-1'), FIRST).fleet).toEqual(['desk-1'])
    expect(await captured(() => verifyClose(out, {}))).toMatchObject({ exitCode: 0 })
  })

  test('verify-close reports a folder without closes, and signers and certificates that cannot be read', async () => {
    const folder = freshFolder()
    expect(await captured(() => verifyClose(folder, {}))).toMatchObject({
      exitCode: 1,
      text: `there is no close in ${folder}\n`,
    })
    const none = join(folder, 'none')
    for (const given of [{ signers: none }, { authority: none }])
      expect(await captured(() => verifyClose(folder, given))).toMatchObject({
        exitCode: 2,
        text: expect.stringContaining(`${none} cannot be read`) as string,
      })
  })
})
