import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { approved } from '../../../src/risk/approved.ts'

const SRC = new URL('../../../src', import.meta.url).pathname

describe('the stamp of risk', () => {
  it('can be given only by approve and its half for orders, and by the engine that takes up a snapshot', () => {
    const givers = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .filter((path) => {
        const text = readFileSync(join(SRC, path), 'utf8')
        return /import (?!type)[^;]*?\bapproved\b[^;]*?from '[^']*approved\.ts'/.test(text)
      })
    expect(givers.toSorted()).toEqual([
      'engine/create-engine.ts',
      'risk/approve-orders.ts',
      'risk/approve.ts',
    ])
  })

  it('is not forged by a cast anywhere', () => {
    const forgers = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .filter((path) => /\bas (unknown as )?Approved\b/.test(readFileSync(join(SRC, path), 'utf8')))
    expect(forgers).toEqual([])
  })

  it('is not seen in the journal or a snapshot: what comes from there is stamped anew', () => {
    expect(JSON.stringify(approved({ bidBps: 60 }))).toBe('{"bidBps":60}')
  })
})
