import { spawn } from 'node:child_process'

export type RunningAnvil = {
  /** JSON-RPC over HTTP, and over WebSocket under ws://. */
  readonly url: string
  /** Resolves once it is gone, however that came about. */
  readonly ended: Promise<void>
  /** Kills it and waits until it is gone. */
  readonly close: () => Promise<void>
}

const READY_MS = 20_000

/**
 * The shell between us and anvil waits for the end of its input, which comes also when we are killed with
 * no chance to say anything: so anvil never outlives its parent. Whoever of the two goes first, the other follows.
 */
const KEEPER = `
exec 3<&0
"$0" "$@" </dev/null 3<&- &
chain=$!
{ read -r _ <&3; kill -9 "$chain" 2>/dev/null; } >/dev/null 2>&1 &
keeper=$!
exec 3<&-
wait "$chain"
status=$?
kill "$keeper" 2>/dev/null
exit "$status"
`

/** Starts anvil with these arguments and waits until it listens. Throws with what it complained about. */
export async function runAnvil(binary: string, args: readonly string[]): Promise<RunningAnvil> {
  const child = spawn('/bin/sh', ['-c', KEEPER, binary, ...args], { stdio: ['pipe', 'pipe', 'pipe'] })
  child.stdin.on('error', () => {})
  const said: string[] = []
  child.stderr.on('data', (data: Buffer) => said.push(data.toString()))
  const ended = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      said.push(error.message)
      resolve()
    })
    child.once('close', () => resolve())
  })
  const close = async () => {
    child.stdin.destroy()
    await ended
  }
  let url: string | null = null
  const listening = new Promise<void>((resolve) => {
    child.stdout.on('data', (data: Buffer) => {
      // Afterwards it logs every call; that is read, so that its pipe never fills, and dropped.
      if (url !== null) return
      said.push(data.toString())
      const match = /Listening on (\S+:\d+)/.exec(said.join(''))
      if (match === null) return
      url = `http://${match[1]}`
      said.length = 0
      resolve()
    })
  })
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, READY_MS)))
  await Promise.race([listening, ended, late])
  clearTimeout(timer)
  if (url !== null) return { url, ended, close }
  await close()
  throw new Error(`anvil did not start: ${said.join('').trim().slice(-2_000) || 'it said nothing'}`)
}
