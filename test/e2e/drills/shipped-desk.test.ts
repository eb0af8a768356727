import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import type { DrillResult } from '../../../src/simulator/drills/drill.ts'
import { needs } from '../../support/needs.ts'
import { PROGRAM } from '../daemon/program.ts'

const scratch = mkdtempSync(join(tmpdir(), 'mizani-shipped-drill-'))

/** Nights of pooled capital that no other test plays to their end; nearly all of a night is waiting. */
const NIGHTS = ['venue-down', 'leak', 'clock-jump', 'double-peak', 'zombie-write', 'feed-frozen'] as const
const OF_LINUX = needs('unshare') ? [] : (['disk-full'] as const)

test(
  'the shipped configuration survives the nights of pooled capital that its limits are made for, at the gate of a process',
  { timeout: 400_000 },
  async () => {
    const nights = [...NIGHTS, ...OF_LINUX]
    const args = ['drill', '--only', nights.join(','), '--parallel', '7', '--gate', '--json']
    // Its results are kept in the working directory.
    const options = { cwd: scratch, env: { ...process.env, TMPDIR: scratch } }
    // A gate that fails rejects with what it wrote.
    const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, ...args], options)
    const { results, notes } = JSON.parse(stdout) as {
      readonly results: readonly DrillResult[]
      readonly notes: readonly string[]
    }
    expect(notes).toEqual([expect.stringContaining('config/sandbox.yaml')])
    expect(results.map(({ name, status }) => [name, status])).toEqual(nights.map((name) => [name, 'passed']))
    const of = (name: string) => results.find((one) => one.name === name)
    expect(of('venue-down')?.safeMs).toBeGreaterThan(of('venue-down')?.faultMs ?? Infinity)
    expect(of('feed-frozen')?.noticed).toContain('risk.maxMidAgeMs')
    expect(of('clock-jump')?.noticed).toContain('clock jumped')
    const kept = readFileSync(join(scratch, 'data/sandbox/drills.json'), 'utf8')
    expect((JSON.parse(kept) as readonly { name: string }[]).map(({ name }) => name)).toEqual(nights)
    expect(readdirSync(scratch)).toEqual(['data'])
  },
)
