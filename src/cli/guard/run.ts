import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { errorText } from '../../base/result.ts'
import type { GuardSettings } from '../../daemon/guard/process/settings.ts'
import { workerUrl } from '../../base/threads/first-message.ts'
import { EXIT_CODE } from '../../base/exit-code.ts'
import { printable } from '../../base/printable.ts'
import { fail, print, printWarning } from '../output/print.ts'
import { version } from '../../base/text/version.ts'
import { readGuardedConfigs } from '../../daemon/guard/process/guarded-configs.ts'
import { guardSettings } from '../../daemon/runtime/lease/guard-settings.ts'

const VOICE = { json: false }
/** The guard allocates little: a small nursery keeps it small. */
const SMALL = [
  '--max-semi-space-size=1',
  '--max-old-space-size=48',
  '--memory-saver-mode',
  '--disable-sigusr1',
]

/** Replaces this process by a program; absent if the system cannot. */
type Become = (file: string, args: readonly string[], env: NodeJS.ProcessEnv) => void

/**
 * Reads and checks the whole configuration and then, unless only checking, becomes the guard: the process keeps its
 * id, its signals and its environment, but frees the memory used for reading the configuration.
 */
export async function runGuardCommand(
  { config, check = false }: { readonly config: readonly string[]; readonly check?: boolean },
  become: Become | undefined = process.execve?.bind(process),
): Promise<void> {
  const configs = readGuardedConfigs(config, process.env, { isStrict: check })
  if (!configs.ok) return fail(VOICE, EXIT_CODE.usage, configs.error)
  const settings = guardSettings(configs.value, {
    version,
    program: [process.execPath, ...process.execArgv, process.argv[1] ?? ''],
    arguments: process.argv.slice(2),
  })
  if (!settings.ok) return fail(VOICE, EXIT_CODE.usage, settings.error)
  if (check) return print(VOICE, positionsText(settings.value), null)
  for (const { file, why } of settings.value.unwatched)
    printWarning(printable(`${file}: not watched: ${why}`))
  if (become === undefined)
    return fail(
      VOICE,
      EXIT_CODE.failed,
      `a process cannot replace itself on ${process.platform}; Linux or macOS is needed`,
    )
  const file = join(settings.value.folder, 'settings.json')
  try {
    mkdirSync(settings.value.folder, { recursive: true, mode: 0o700 })
    writeFileSync(file, JSON.stringify(settings.value), { mode: 0o600 })
  } catch (error) {
    return fail(VOICE, EXIT_CODE.failed, errorText(error))
  }
  const program = fileURLToPath(workerUrl(import.meta.url, '../../daemon/guard/process/guard-worker'))
  become(process.execPath, [process.execPath, ...SMALL, program, file], process.env)
}

function positionsText({ positions }: GuardSettings): string {
  return `a guard would watch ${positions.map(({ name }) => name).join(', ')}`
}
