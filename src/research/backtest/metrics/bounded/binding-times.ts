import type { Ms } from '../../../../base/time.ts'
import type { Binding } from '../../recorder.ts'

/** Time in which each risk rule and clamp bound. */
/** Holds one entry per rule or clamp. */
export function createBindingTimes() {
  const ended = new Map<string, Binding & { readonly ms: Ms }>()
  let bound: readonly Binding[] = []
  let since = Number.NaN

  const add = (to: Map<string, Binding & { readonly ms: Ms }>, t: Ms): void => {
    for (const binding of bound) {
      const before = to.get(binding.name)?.ms ?? 0
      to.set(binding.name, { ...binding, ms: before + (t > since ? t - since : 0) })
    }
  }

  return {
    open(t: Ms): void {
      since = t
    },
    /** From `t` on, exactly these bind. Not counted before `open`. */
    set(t: Ms, now: readonly Binding[]): void {
      add(ended, t)
      bound = now
      since = Number.isNaN(since) ? since : t
    },
    /** Returns every rule or clamp that ever bound with its milliseconds up to `t`, longest first, then by name. */
    times(t: Ms): readonly (Binding & { readonly ms: Ms })[] {
      const all = new Map(ended)
      add(all, t)
      return [...all.values()].sort((a, b) => b.ms - a.ms || (a.name < b.name ? -1 : 1))
    },
  }
}
