import { readFileSync } from 'node:fs'

/** What the kernel counts of a process. */
export type ProcessUsage = {
  /** On the wall clock of this process. */
  readonly atMs: number
  /** User and system, all threads. */
  readonly cpuMs: number
  readonly rssMiB: number
  readonly peakRssMiB: number
  readonly threads: number
  /** Sent to the disk, and asked of write calls: the second one has the log, sockets and pipes in it too. */
  readonly diskWriteBytes: number
  readonly writeCalls: number
}

/** Of Linux: 100 ticks of the processor's time a second on every platform that Node runs on. */
const TICK_MS = 10

/** Reads /proc, so on Linux only; throws where the process is gone. */
export function readUsage(pid: number): ProcessUsage {
  return usageOf((file) => readFileSync(`/proc/${pid}/${file}`, 'utf8'), performance.now())
}

/** The usage in the texts of `status`, `io` and `stat` of a process. Throws where one lacks what is read. */
export function usageOf(read: (file: 'status' | 'io' | 'stat') => string, atMs: number): ProcessUsage {
  const [status, io, stat] = [read('status'), read('io'), read('stat')]
  // The name of the program, in brackets, may have spaces: what follows it has fixed places.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return {
    atMs,
    cpuMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS,
    rssMiB: numberOf(status, 'VmRSS') / 1_024,
    peakRssMiB: numberOf(status, 'VmHWM') / 1_024,
    threads: numberOf(status, 'Threads'),
    diskWriteBytes: numberOf(io, 'write_bytes'),
    writeCalls: numberOf(io, 'syscw'),
  }
}

function numberOf(text: string, name: string): number {
  const found = new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1]
  if (found === undefined) throw new Error(`/proc has no ${name} for the process`)
  return Number(found)
}
