import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { needs } from '../../support/needs.ts'

const folder = mkdtempSync(join(tmpdir(), 'needs-'))
writeFileSync(join(folder, 'promtool'), '#!/bin/sh\n')
chmodSync(join(folder, 'promtool'), 0o755)
writeFileSync(join(folder, 'chromium'), 'a file, not a program')
chmodSync(join(folder, 'chromium'), 0o644)
const searchPath = ['/nowhere', folder].join(delimiter)
const silent = () => {}

describe('needs', () => {
  test('an installed tool is not skipped, in CI or out of it', () => {
    expect(needs('promtool', { searchPath, ci: false, say: silent })).toBe(false)
    expect(needs('promtool', { searchPath, ci: true, say: silent })).toBe(false)
  })

  test('a missing tool is skipped and the reason is reported once, with the package to install', () => {
    const lines: string[] = []
    const surroundings = { searchPath, ci: false, say: (line: string) => void lines.push(line) }
    expect(needs('psql', surroundings)).toBe(true)
    expect(needs('psql', surroundings)).toBe(true)
    expect(lines).toEqual(['skipped: psql is not installed (install the Debian package postgresql-client)'])
  })

  test('in CI a missing tool is a failure, never a skip', () => {
    expect(() => needs('buildah', { searchPath, ci: true, say: silent })).toThrow(/buildah .* CI=true/)
  })

  test('a file that cannot be executed is no tool', () => {
    expect(needs('chromium', { searchPath, ci: false, say: silent })).toBe(true)
  })
})
