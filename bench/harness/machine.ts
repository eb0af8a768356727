import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'

/** What a figure means nothing without. No host name: the document is for publishing. */
export function machine(): Record<string, unknown> {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    platform: `${process.platform}-${process.arch}`,
    node: process.versions.node,
    /** Others that were at work: more than the cores, and every time below is longer than it had to be. */
    loadAverage: Math.round((loadavg()[0] ?? 0) * 10) / 10,
  }
}
