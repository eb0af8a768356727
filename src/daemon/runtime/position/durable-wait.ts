type DurableWait = {
  /** True once the journal has this event on disk, false where the wait was closed before. */
  readonly until: (seq: number) => Promise<boolean>
  /** Events up to this number are on disk. */
  readonly release: (durableSeq: number) => void
  readonly close: () => void
}

/** Who has to know that an event survives kill -9 waits here, in the order of the events. */
export function createDurableWait(): DurableWait {
  const waiting: { readonly seq: number; readonly settle: (isDurable: boolean) => void }[] = []
  let durable = 0
  let isClosed = false
  return {
    until(seq) {
      if (seq <= durable) return Promise.resolve(true)
      if (isClosed) return Promise.resolve(false)
      return new Promise((settle) => waiting.push({ seq, settle }))
    },
    release(durableSeq) {
      durable = durableSeq
      while (waiting[0] !== undefined && waiting[0].seq <= durable) waiting.shift()?.settle(true)
    },
    close() {
      isClosed = true
      for (const { settle } of waiting.splice(0)) settle(false)
    },
  }
}
