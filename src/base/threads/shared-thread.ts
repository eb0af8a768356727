import { EventEmitter } from 'node:events'
import { MessageChannel, Worker, type MessagePort, type WorkerOptions } from 'node:worker_threads'

/** The message to a shared thread for each owner: the initial data, and the owner's port. */
export type OwnerOpening<Init> = { readonly init: Init; readonly port: MessagePort }

/** One owner's end of a shared thread; it emits `message`, `error` and `exit` like a separate worker. */
export type OwnerPort<ToThread> = {
  readonly postMessage: (message: ToThread) => void
  readonly on: EventEmitter['on']
  readonly once: EventEmitter['once']
}

/** One thread that works for many owners, each over a separate port. */
export type SharedThread<Init, ToThread> = {
  /** Adds an owner. Starts the thread for the first owner, and again after the thread's death. */
  readonly open: (init: Init) => OwnerPort<ToThread>
  /** Ends the thread immediately. */
  readonly close: () => Promise<unknown>
}

/** After these messages the thread has closed the owner's port. */
const LAST_MESSAGES: readonly string[] = ['closed', 'refused']

type Running = { readonly worker: Worker; readonly owners: Set<EventEmitter> }

/**
 * Creates a thread of the file `url`, which receives an `OwnerOpening` for each owner and closes the owner's port after
 * the message `closed` or `refused`. Reports the cause of the thread's end to every owner.
 */
export function createSharedThread<Init, ToThread>(
  url: URL,
  options: WorkerOptions,
): SharedThread<Init, ToThread> {
  let running: Running | null = null

  function start(): Running {
    const started: Running = { worker: new Worker(url, options), owners: new Set() }
    started.worker.on('error', (error) => {
      for (const owner of started.owners) owner.emit('error', error)
    })
    started.worker.on('exit', () => {
      if (running === started) running = null
      for (const owner of started.owners) owner.emit('exit')
    })
    return started
  }

  return {
    open(init) {
      running ??= start()
      const { worker, owners } = running
      const { port1, port2 } = new MessageChannel()
      const owner = new EventEmitter()
      // Without a listener an error event would be thrown here, in the thread of every owner.
      owner.on('error', () => undefined)
      owners.add(owner)
      port1.on('message', (message: { readonly type: string }) => {
        if (LAST_MESSAGES.includes(message.type)) owners.delete(owner)
        owner.emit('message', message)
      })
      worker.postMessage({ init, port: port2 } satisfies OwnerOpening<Init>, [port2])
      return {
        postMessage: (message) => port1.postMessage(message),
        on: owner.on.bind(owner),
        once: owner.once.bind(owner),
      }
    },
    close: () => running?.worker.terminate() ?? Promise.resolve(),
  }
}
