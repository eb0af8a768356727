import type { Ms } from '../../../../src/base/time.ts'
import type { Canary } from '../../fault-world.ts'

/** Bugs of a daemon or a guard, in the place of the product's own ones. */
export type LeaseBug = {
  readonly ignoresDeadline?: boolean
  readonly guardWaitsMs?: Ms
  readonly neverReconciles?: boolean
  /** A daemon takes a write for done that it has not sent. */
  readonly believesUnsent?: boolean
  readonly guardNeverTicks?: boolean
  /** Whatever stands at the venue, the guard reads the safe quote; and writes of the dead land behind its back. */
  readonly guardReadsSafe?: boolean
  readonly guardForgets?: boolean
}

export const GUARD_CANARIES: readonly (Canary & { readonly bug: LeaseBug })[] = [
  {
    name: 'two-writers',
    breaks: 'one-writer',
    does: 'lets a daemon continue to write after its deadline',
    finds: /two may write at once/,
    needs: ['daemon cut off from the guard'],
    bug: { ignoresDeadline: true },
  },
  {
    name: 'guard-acts-too-soon',
    breaks: 'one-writer',
    does: 'makes the guard wait for less than the deadline of the daemon',
    finds: /two may write at once/,
    needs: ['daemon cut off from the guard'],
    bug: { guardWaitsMs: 1_000 },
  },
  {
    name: 'guard-never-fires',
    breaks: 'safe-in-time',
    does: 'makes the guard receive renewals and never act',
    finds: /is not safe/,
    from: 5,
    needs: ['daemon killed', 'daemon cut off from the guard'],
    bug: { guardNeverTicks: true },
  },
  {
    name: 'guard-reads-nothing-back',
    breaks: 'late-writes-found',
    does: 'makes the guard treat every quote that it reads back as the safe quote',
    finds: /is not safe after (?:9\d|\d{3,})\d{3} ms/,
    from: 5,
    needs: ['daemon killed', 'daemon cut off from the guard'],
    bug: { guardReadsSafe: true },
  },
  {
    name: 'number-goes-back',
    breaks: 'numbers-grow',
    does: 'starts the guard without the numbers on its disk',
    finds: /lease \d+ is granted after lease \d+/,
    needs: ['daemon stopped', 'guard killed'],
    bug: { guardForgets: true },
  },
  {
    name: 'never-comes-back',
    breaks: 'one-holder',
    does: 'prevents every daemon from reconciling',
    finds: /healed, no one holds the lease/,
    needs: ['daemon killed'],
    bug: { neverReconciles: true },
  },
  {
    name: 'believes-unsent',
    breaks: 'holder-quote',
    does: 'makes a daemon treat unsent requests as done',
    finds: /which no one who holds the lease has decided/,
    needs: [],
    bug: { believesUnsent: true },
  },
]
