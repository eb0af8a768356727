import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Tools } from './tools.ts'

/** The programs of the peers; null = not installed. */
export type Installed = { readonly python: string | null; readonly crate: string | null }

const PYTHON_FOLDER = join(import.meta.dirname, 'python')
const CRATE_FOLDER = join(import.meta.dirname, 'crate')

/**
 * Installs what is missing into the scratch folder: the Python packages, some 1.4 GB, and the crate, which is compiled
 * for minutes. What was installed from the same requirements and sources is there already. With `mayInstall` false
 * nothing is fetched, and only what is there is named. Throws with the tail of the output when an installation fails.
 */
export function installPeers(scratch: string, tools: Tools, mayInstall: boolean): Installed {
  mkdirSync(scratch, { recursive: true })
  return {
    python: tools.python === null ? null : installPython(scratch, tools.python, mayInstall),
    crate: tools.cargo === null ? null : installCrate(scratch, tools.cargo, mayInstall),
  }
}

function installPython(scratch: string, python: string, mayInstall: boolean): string | null {
  const folder = join(scratch, 'python')
  const requirements = join(PYTHON_FOLDER, 'requirements.txt')
  const program = join(folder, 'bin/python')
  const isInstalled = onceFor(join(folder, 'installed'), readFileSync(requirements, 'utf8'))
  if (isInstalled.already) return program
  if (!mayInstall) return null
  process.stderr.write(`  the Python packages go to ${folder}, some 1.4 GB ...\n`)
  rmSync(folder, { recursive: true, force: true })
  mustRun(python, ['-m', 'venv', folder])
  mustRun(program, ['-m', 'pip', 'install', '--quiet', '--requirement', requirements])
  isInstalled.note()
  return program
}

function installCrate(scratch: string, cargo: string, mayInstall: boolean): string | null {
  const folder = join(scratch, 'crate')
  const program = join(folder, 'target/release/hftbacktest-peer')
  const sources = ['Cargo.toml', 'src/main.rs'].map((file) => readFileSync(join(CRATE_FOLDER, file), 'utf8'))
  const isInstalled = onceFor(join(folder, 'installed'), sources.join('\n'))
  if (isInstalled.already) return program
  if (!mayInstall) return null
  process.stderr.write(`  the crate is compiled in ${folder}, which takes minutes ...\n`)
  cpSync(CRATE_FOLDER, folder, { recursive: true })
  mustRun(cargo, ['build', '--release', '--quiet', '--manifest-path', join(folder, 'Cargo.toml')])
  isInstalled.note()
  return program
}

/** Whether `file` has this text, and how to write it there once the work is done. */
function onceFor(file: string, text: string): { readonly already: boolean; readonly note: () => void } {
  return {
    already: existsSync(file) && readFileSync(file, 'utf8') === text,
    note: () => writeFileSync(file, text),
  }
}

function mustRun(program: string, words: readonly string[]): void {
  const { status, error, stdout, stderr } = spawnSync(program, words, { encoding: 'utf8' })
  if (status === 0) return
  const tail = `${stdout ?? ''}${stderr ?? ''}`.slice(-1_500)
  throw new Error(`${program} ${words.join(' ')} failed: ${error?.message ?? `exit ${status}`}\n${tail}`)
}
