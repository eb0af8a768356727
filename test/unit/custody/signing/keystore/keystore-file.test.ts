import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  readSecretFile,
  writeKeystoreFile,
} from '../../../../../src/custody/signing/keystore/keystore-file.ts'

const folder = () => mkdtempSync(join(tmpdir(), 'mizani-keys-'))

describe('a keystore on the disk', () => {
  test('is for its owner alone, and nothing else is left beside it', async () => {
    const place = folder()
    expect(await writeKeystoreFile(join(place, 'k'), 'text', 'new')).toEqual({ ok: true, value: undefined })
    expect(readdirSync(place)).toEqual(['k'])
    expect(statSync(join(place, 'k')).mode & 0o777).toBe(0o600)
  })

  test('never takes the place of what exists, a broken link included', async () => {
    const place = folder()
    writeFileSync(join(place, 'k'), 'old')
    symlinkSync(join(place, 'nowhere'), join(place, 'link'))
    for (const name of ['k', 'link']) {
      const written = await writeKeystoreFile(join(place, name), 'new', 'new')
      expect(written).toEqual({
        ok: false,
        error: `${join(place, name)} exists already; nothing was changed`,
      })
    }
    expect(readFileSync(join(place, 'k'), 'utf8')).toBe('old')
    expect(readdirSync(place).toSorted()).toEqual(['k', 'link'])
  })

  test('of two written at once one is there, whole', async () => {
    const path = join(folder(), 'k')
    const texts = ['a'.repeat(5_000), 'b'.repeat(5_000)]
    const written = await Promise.all(texts.map((text) => writeKeystoreFile(path, text, 'new')))
    expect(written.filter(({ ok }) => ok)).toHaveLength(1)
    expect(readFileSync(path, 'utf8')).toBe(texts[written.findIndex(({ ok }) => ok)])
  })

  test('is replaced behind a link, which stays one', async () => {
    const place = folder()
    writeFileSync(join(place, 'k'), 'old', { mode: 0o644 })
    symlinkSync(join(place, 'k'), join(place, 'link'))
    expect(await writeKeystoreFile(join(place, 'link'), 'new', 'replace')).toMatchObject({ ok: true })
    expect(readFileSync(join(place, 'k'), 'utf8')).toBe('new')
    expect(statSync(join(place, 'k')).mode & 0o777).toBe(0o600)
  })

  test('that cannot be written is reported with its path and why', async () => {
    const place = folder()
    expect(await writeKeystoreFile(join(place, 'none/k'), 'x', 'new')).toEqual({
      ok: false,
      error: `${join(place, 'none/k')} cannot be written (ENOENT)`,
    })
    mkdirSync(join(place, 'k'))
    expect(await writeKeystoreFile(join(place, 'k'), 'x', 'replace')).toMatchObject({ ok: false })
    expect(readdirSync(place)).toEqual(['k'])
  })
})

describe('a file of secrets', () => {
  test('bigger than any is not read', async () => {
    const path = join(folder(), 'big')
    writeFileSync(path, '')
    truncateSync(path, 2 ** 40)
    const read = await readSecretFile(path)
    expect(read.ok ? '' : read.error).toContain('bigger than')
  })

  test('of other bytes than text is not read: two passwords would look the same', async () => {
    const path = join(folder(), 'password')
    writeFileSync(path, Buffer.from('ff616263', 'hex'))
    expect(await readSecretFile(path)).toEqual({ ok: false, error: `${path} is not UTF-8 text` })
    writeFileSync(path, '\u{feff}nenosiri é €')
    expect(await readSecretFile(path)).toMatchObject({ ok: true, value: { text: '\u{feff}nenosiri é €' } })
  })

  test('that is a folder is reported so', async () => {
    const read = await readSecretFile(folder())
    expect(read.ok ? '' : read.error).toContain('EISDIR')
  })

  test('warns of who may read it, the wider circle first', async () => {
    const path = join(folder(), 'f')
    writeFileSync(path, 'x')
    const warningOf = async (mode: number) => {
      chmodSync(path, mode)
      const read = await readSecretFile(path)
      return read.ok ? read.value.warning : read.error
    }
    expect(await warningOf(0o600)).toBeNull()
    expect(await warningOf(0o400)).toBeNull()
    expect(await warningOf(0o440)).toContain('its group')
    expect(await warningOf(0o644)).toContain('everybody')
  })
})
