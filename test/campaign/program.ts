import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CampaignHead } from './kept.ts'
import { worldIds } from './plan.ts'

/** Which program lives units: those of another one are another campaign's. */
export type Program = Pick<CampaignHead, 'commit' | 'node' | 'version' | 'worlds'>

/** What a unit runs. */
const PARTS = ['src', 'test', 'scripts', 'strategies', 'config', 'package.json', 'package-lock.json']

/** The program of the tree at `root`. */
export function programAt(root: string): Program {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly version: string
  }
  return { version, worlds: worldIds(version), commit: commitAt(root), node: process.versions.node }
}

/** The commit; with what was changed since and is in none, `-dirty-` and the digest of it, so that two such trees differ. */
export function commitAt(root: string): string {
  const git = (...words: string[]) =>
    execFileSync('git', words, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28, stdio: 'pipe' })
  try {
    const head = git('rev-parse', '--short=8', 'HEAD').trim()
    const changed = git('diff', 'HEAD', '--binary', '--', ...PARTS)
    const others = git('ls-files', '--others', '--exclude-standard', '-z', '--', ...PARTS)
    const files = others.split('\0').filter((file) => file !== '')
    if (changed === '' && files.length === 0) return head
    const digest = createHash('sha256').update(changed)
    for (const file of files) digest.update(`\0${file}\0`).update(readFileSync(join(root, file)))
    return `${head}-dirty-${digest.digest('hex').slice(0, 8)}`
  } catch {
    return 'unknown (not a git checkout)'
  }
}
