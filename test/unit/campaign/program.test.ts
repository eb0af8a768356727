import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commitAt } from '../../campaign/program.ts'

test('a tree has the name of its commit, and another one for every change that no commit has', () => {
  const root = mkdtempSync(join(tmpdir(), 'campaign-program-'))
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.invalid', ...words], { cwd: root })
  mkdirSync(join(root, 'src'))
  const write = (file: string, text: string) => writeFileSync(join(root, file), text)
  write('src/core.ts', 'one')
  git('init', '--quiet')
  git('add', '.')
  git('commit', '--quiet', '-m', 'One')
  const clean = commitAt(root)
  expect(clean).toMatch(/^[0-9a-f]{8}$/)
  // What no unit runs makes no other program.
  write('notes.txt', 'a note')
  expect(commitAt(root)).toBe(clean)
  write('src/core.ts', 'two')
  const changed = commitAt(root)
  expect(changed).toMatch(new RegExp(`^${clean}-dirty-[0-9a-f]{8}$`))
  expect(commitAt(root)).toBe(changed)
  write('src/other.ts', 'new')
  const added = commitAt(root)
  write('src/other.ts', 'newer')
  expect(new Set([clean, changed, added, commitAt(root)]).size).toBe(4)
})
