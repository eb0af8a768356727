/** Returns the time on the two clocks that all threads of this process share: monotonic and time of day. */
export function momentNow(): { readonly steadyMs: number; readonly wallMs: number } {
  return { steadyMs: Number(process.hrtime.bigint()) / 1e6, wallMs: Date.now() }
}
