import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { needs } from '../support/needs.ts'

const folder = fileURLToPath(new URL('../../examples/notebook/', import.meta.url))

type Cell = { readonly outputs?: readonly { readonly data?: Readonly<Record<string, unknown>> }[] }

test.skipIf(needs('python3'))(
  'the notebook runs from its first cell to its last, with the packages that it pins',
  { timeout: 600_000 },
  () => {
    const scratch = mkdtempSync(join(tmpdir(), 'mizani-notebook-'))
    try {
      execFileSync('python3', ['-m', 'venv', scratch])
      const pip = ['-m', 'pip', 'install', '--quiet', '--requirement', join(folder, 'requirements.txt')]
      execFileSync(join(scratch, 'bin/python'), pip)
      const output = join(scratch, 'run.ipynb')
      const run = ['--timeout=300', `--output=${output}`, join(folder, 'backtest.ipynb')]
      execFileSync(join(scratch, 'bin/jupyter-execute'), run, { cwd: folder, stdio: 'pipe' })
      const { cells } = JSON.parse(readFileSync(output, 'utf8')) as { readonly cells: readonly Cell[] }
      const shown = cells.flatMap(({ outputs = [] }) => outputs.flatMap(({ data = {} }) => Object.keys(data)))
      expect(shown).toContain('image/png')
      expect(JSON.stringify(cells)).toContain('(1180,')
    } finally {
      rmSync(scratch, { recursive: true, force: true })
    }
  },
)
