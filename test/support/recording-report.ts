import type { GuardNotice } from '../../src/daemon/guard/notices/notice.ts'
import type { GuardReport } from '../../src/daemon/guard/notices/report.ts'

/** What a guard logs and notifies of, as lists; a notice of any code is open from its beginning to its end. `raised`: those that are open. */
export function recordingReport(
  onNotice: (code: GuardNotice) => void = () => undefined,
  raised: readonly string[] = [],
) {
  const open = new Set(raised)
  const lines: string[] = []
  const told: [code: string, message: string][] = []
  const key = (name: string, code: string) => `${name} ${code}`
  const tell = (code: GuardNotice, shown: string, message: string) => {
    told.push([shown, message])
    onNotice(code)
  }
  const report: Omit<GuardReport, 'tick' | 'waiting'> = {
    log: (_level, _position, message) => void lines.push(message),
    notify(code, { name }, message) {
      open.add(key(name, code))
      tell(code, code, message)
    },
    lift(code, { name }, message) {
      open.delete(key(name, code))
      tell(code, `${code} lifted`, message)
    },
    resolve(code, ended, { name }, message) {
      for (const one of ended) open.delete(key(name, one))
      tell(code, code, message)
    },
    isOpen: (name, code) => open.has(key(name, code)),
    open: () => [],
    acknowledge: () => [],
  }
  return { report, lines, told }
}
