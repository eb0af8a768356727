import { vi } from 'vitest'

/** What a command wrote to stdout and stderr, and its exit code. */
export type Captured = { readonly out: string; readonly err: string; readonly exitCode: number }

/** Runs a command within this process, and leaves its streams and its exit code as they were. */
export async function captured(run: () => Promise<unknown>): Promise<Captured> {
  let out = ''
  let err = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => Boolean((out += String(text))))
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => Boolean((err += String(text))))
  process.exitCode = 0
  try {
    await run()
    const { exitCode } = process as { exitCode: number }
    return { out, err, exitCode }
  } finally {
    process.exitCode = 0
    vi.restoreAllMocks()
  }
}
