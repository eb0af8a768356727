import { join } from 'node:path'
import { vi } from 'vitest'
import { readGuardedConfigs } from '../../../../src/daemon/guard/process/guarded-configs.ts'
import { guardSettings } from '../../../../src/daemon/runtime/lease/guard-settings.ts'
import { runGuard, type RunningGuard } from '../../../../src/daemon/guard/process/run-guard.ts'
import { ENV, folderWith, VALID } from '../../daemon/config/config-fixture.ts'

export const PLACE = { version: '9.9.9', program: ['node', 'mizani.ts'], arguments: ['guard'] } as const

/** Sets what the configuration of these tests names. */
export function stubSecrets(): void {
  for (const [name, value] of Object.entries(ENV)) vi.stubEnv(name, value)
}

/** A configuration in a folder of its own, whose server and guard have these ports. */
export function configFile(changes: Readonly<Record<string, string>> = {}, more = ''): string {
  let text = VALID
  for (const [from, to] of Object.entries(changes)) {
    if (!text.includes(from)) throw new Error(`the fixture has no ${from}`)
    text = text.replace(from, to)
  }
  const folder = folderWith({ 'live.yaml': '' })
  return join(
    folderWith({ 'live.yaml': text.replace('path: ./data', `path: ${join(folder, 'data')}`) + more }),
    'live.yaml',
  )
}

/** The guard of a configuration, in this process; what it notifies of and logs goes nowhere. */
export async function guardFor(file: string): Promise<RunningGuard> {
  const read = readGuardedConfigs([file], process.env, { isStrict: true })
  if (!read.ok) throw new Error(read.error)
  const settings = guardSettings(read.value, PLACE)
  if (!settings.ok) throw new Error(settings.error)
  const guard = await runGuard(settings.value, {
    log: () => undefined,
    send: (notices) => Promise.resolve(notices.map(({ id }) => ({ id, left: [], why: null }))),
  })
  if (!guard.ok) throw new Error(guard.error)
  return guard.value
}
