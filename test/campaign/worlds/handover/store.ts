import type { JournalWrite } from '../../../../src/store/journal-messages.ts'
import type { PostgresWriter } from '../../../../src/store/postgres/writer.ts'
import type { Store } from '../../../../src/store/store.ts'

/** What a loop writes, and nothing of the tables beside the journal: they are held to the journal elsewhere. */
export type DeskStore = Pick<Store, 'append' | 'project' | 'saveSnapshot' | 'onDurable'> & {
  /** Resolves when everything so far is written, or nothing more ever will be. */
  readonly flush: () => Promise<void>
}

/** Groups what comes while a group is on its way, as the journal's thread does. The first error is final. */
export function createDeskStore(writer: PostgresWriter, onFailure: (error: unknown) => void): DeskStore {
  const waiting: JournalWrite[] = []
  const listeners: ((seq: number) => void)[] = []
  let hasFailed = false
  let queue = Promise.resolve()

  async function writeGroup(): Promise<void> {
    const group = waiting.splice(0)
    if (group.length === 0 || hasFailed) return
    try {
      const { lastSeq } = await writer.write(group)
      for (const listener of listeners) listener(lastSeq)
    } catch (error) {
      hasFailed = true
      onFailure(error)
    }
  }

  function post(write: JournalWrite): void {
    if (waiting.length === 0) queue = queue.then(writeGroup)
    waiting.push(write)
  }

  return {
    append: (seq, event) => post(['event', seq, event]),
    project: () => undefined,
    saveSnapshot: (snapshot) => post(['snapshot', snapshot]),
    onDurable: (listener) => void listeners.push(listener),
    flush: () => queue,
  }
}
