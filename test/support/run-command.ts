import { onTestFinished, vi } from 'vitest'

/** Runs a command in this process; returns its exit code and all that it printed. */
export async function runCommand(command: () => Promise<void>) {
  let text = ''
  const spies = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, 'write').mockImplementation((chunk) => {
      text += String(chunk)
      return true
    }),
  )
  onTestFinished(() => void (process.exitCode = undefined))
  process.exitCode = undefined
  await command().finally(() => spies.forEach((spy) => spy.mockRestore()))
  return { text, exitCode: process.exitCode as number | undefined }
}
