import { expect } from 'vitest'
import { runMizani } from './run-mizani.ts'

export type Replay = {
  readonly digest: string
  readonly to: number
  readonly events: number
  readonly effects: Readonly<Record<string, number>>
  readonly equal: boolean
  readonly warnings: readonly string[]
}

/** `mizani replay`: the whole journal through the core again, in a process that knows only the store. */
export async function replayStore(
  config: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Replay> {
  const { code, out, err } = await runMizani(['replay', '--config', config, '--json'], env)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return JSON.parse(out) as Replay
}
