import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { approved } from '../../../../src/core/risk/approved.ts'

const SRC = new URL('../../../../src', import.meta.url).pathname

describe('the stamp of risk', () => {
  it('only approve makes an Approved, and the engine when it restores a snapshot', () => {
    const givers = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .filter((path) => {
        const text = readFileSync(join(SRC, path), 'utf8')
        return /import (?!type)[^;]*?\bapproved\b[^;]*?from '[^']*approved\.ts'/.test(text)
      })
    expect(givers.toSorted()).toEqual(['core/engine/initial-state.ts', 'core/risk/approve.ts'])
  })

  it('no cast makes an Approved', () => {
    const forgers = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .filter((path) => /\bas (unknown as )?Approved\b/.test(readFileSync(join(SRC, path), 'utf8')))
    expect(forgers).toEqual([])
  })

  it('the stamp is not serialised into the journal or a snapshot', () => {
    expect(JSON.stringify(approved({ bidBps: 60 }))).toBe('{"bidBps":60}')
  })
})
