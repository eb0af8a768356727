/** How often a drilled process looks at its clock and at the drill. */
const POLL_MS = 250

/**
 * Loaded before a drilled process, in each of its threads: a wall clock that the drill can set, and an end with the
 * drill itself (`drillPid`), however that ended: its folder is gone then, or no one has its number. A module as a `data:`
 * URL needs no file beside the program.
 */
export function preloadUrl(clockFile: string, drillPid: number): string {
  const code = `
import { existsSync, readFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
const trueNow = Date.now.bind(Date)
let offsetMs = 0
Date.now = () => trueNow() + offsetMs
const file = ${JSON.stringify(clockFile)}
const isOver = () => {
  if (process.ppid === ${drillPid}) return false
  try {
    process.kill(${drillPid}, 0)
    return false
  } catch {
    return true
  }
}
const look = () => {
  if (existsSync(file)) offsetMs = Number(readFileSync(file, 'utf8'))
  else if (isMainThread) process.kill(process.pid, 'SIGKILL')
  if (isMainThread && isOver()) process.kill(process.pid, 'SIGKILL')
}
look()
setInterval(look, ${POLL_MS}).unref()
`
  return `data:text/javascript,${encodeURIComponent(code)}`
}
