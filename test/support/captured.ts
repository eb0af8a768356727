import { vi } from 'vitest'

/** What a command wrote to stdout and stderr, both together in `text`, and its exit code. */
export type Captured = {
  readonly out: string
  readonly err: string
  readonly text: string
  readonly exitCode: number
}

/** Runs a command within this process, and leaves its streams and its exit code as they were. */
export async function captured(run: () => unknown): Promise<Captured> {
  let [out, err, text] = ['', '', '']
  vi.spyOn(process.stdout, 'write').mockImplementation((more) => {
    out += String(more)
    text += String(more)
    return true
  })
  vi.spyOn(process.stderr, 'write').mockImplementation((more) => {
    err += String(more)
    text += String(more)
    return true
  })
  process.exitCode = 0
  try {
    await run()
    const { exitCode } = process as { exitCode: number }
    return { out, err, text, exitCode }
  } finally {
    process.exitCode = 0
    vi.restoreAllMocks()
  }
}
