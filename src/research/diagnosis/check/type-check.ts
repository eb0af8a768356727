import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseConfig } from '../../../daemon/config/load/parse-config.ts'
import { findStrategy } from '../../../daemon/config/strategy/find-strategy.ts'

/** The outcome of a type check: messages of the compiler in order, or why nothing was checked. */
export type TypeCheck =
  | { readonly kind: 'checked'; readonly errors: readonly string[] }
  | { readonly kind: 'skipped'; readonly why: string }

const TIME_LIMIT_MS = 60_000
/** The folder of the checkout, or of the package's bundle. */
const OWN_ROOT = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../../../' : './', import.meta.url),
)

/**
 * Checks the types of a strategy file with the TypeScript and the `tsconfig.json` of its folder, in a process without
 * this one's environment. `use` undefined = the strategy of the configuration. Each error names file, line and column,
 * relative to the folder of `tsconfig.json`. Null = there is nothing to check with: no configuration, a shipped strategy,
 * or no `tsconfig.json`.
 */
export async function checkTypes(use: string | undefined, configFile: string): Promise<TypeCheck | null> {
  const folder = dirname(resolve(configFile))
  // The usual case outside of a folder of `mizani init`; it spares reading the configuration.
  if (use === undefined && projectOf(folder) === null) return null
  const parsed = use === undefined ? parseConfig(configFile, {}) : null
  const named = parsed?.ok === true ? parsed.value.file.strategy.use : use
  const found = findStrategy(named ?? '', OWN_ROOT, folder)
  const project = found.ok ? projectOf(dirname(found.value)) : null
  if (project === null) return null
  const compiler = compilerOf(project)
  if (compiler === null)
    return skipped(`TypeScript is not installed in ${project}; run \`npm install\` there`)
  const args = [compiler, '--noEmit', '--pretty', 'false', '-p', project]
  // The folder's TypeScript is code of others: it gets neither keys nor settings.
  const options = { cwd: project, timeout: TIME_LIMIT_MS, env: { PATH: process.env['PATH'] } }
  return new Promise((settle) => {
    execFile(process.execPath, args, options, (failure, out, stderr) => {
      const lines = out.split('\n').filter((line) => /error TS\d+: /.test(line))
      const own = lines.filter((line) => !isElsewhere(line))
      if (failure !== null && lines.length === 0)
        settle(skipped(`TypeScript failed: ${stderr.trim() || failure.message}`))
      else settle({ kind: 'checked', errors: own.length > 0 ? own : lines })
    })
  })
}

/** Errors in installed packages are not the strategy's. */
function isElsewhere(line: string): boolean {
  return line.startsWith('..') || line.includes('node_modules/')
}

function skipped(why: string): TypeCheck {
  return { kind: 'skipped', why }
}

/** Returns the nearest folder with a `tsconfig.json`, from `folder` up; null = no folder below mizani's own has one. */
function projectOf(folder: string): string | null {
  if (resolve(folder) === resolve(OWN_ROOT)) return null
  if (existsSync(join(folder, 'tsconfig.json'))) return folder
  const parent = dirname(folder)
  return parent === folder ? null : projectOf(parent)
}

function compilerOf(project: string): string | null {
  try {
    const { resolve: find } = createRequire(join(project, 'tsconfig.json'))
    return join(dirname(find('typescript/package.json')), 'bin', 'tsc')
  } catch {
    return null
  }
}
