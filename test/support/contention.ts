const SPIN_MS = 200

/**
 * How many times as long as by itself takes now what computes on this machine, because other work has its cores: 1 on a quiet one. It
 * computes for a moment, and compares the time that passed with the time that it had a core.
 */
export function contention(): number {
  const before = process.cpuUsage()
  const began = performance.now()
  while (usedMs(before) < SPIN_MS);
  return Math.max(1, (performance.now() - began) / usedMs(before))
}

function usedMs(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
