import { execFileSync, fork } from 'node:child_process'
import { join } from 'node:path'
import type { MidsMoved } from './mid-schedule.ts'
import type { VenueFigures, VenueInit, VenueOrder, VenueReply } from './venue-messages.ts'

export type FleetVenue = {
  readonly url: string
  readonly figures: () => Promise<VenueFigures>
  /** Resolves when the last mid has had its time. */
  readonly moveMids: (everyMs: number, forMs: number) => Promise<MidsMoved>
  readonly end: () => void
}

type OrderOf<Order> = Order extends VenueOrder ? Omit<Order, 'id'> : never

/** Starts the venue with so many keys in a process of its own. */
export async function startVenue(init: VenueInit): Promise<FleetVenue> {
  const child = fork(join(import.meta.dirname, 'venue-process.ts'), [JSON.stringify(init)], {
    execArgv: [],
    stdio: ['ignore', process.stderr, process.stderr, 'ipc'],
  })
  const waiting = new Map<number, { resolve: (answer: unknown) => void; reject: (error: Error) => void }>()
  const listening = Promise.withResolvers<string>()
  let last = 0
  child.on('message', (reply: VenueReply) => {
    if ('url' in reply) return listening.resolve(reply.url)
    waiting.get(reply.id)?.resolve(reply.answer)
    waiting.delete(reply.id)
  })
  child.on('exit', (code, signal) => {
    const error = new Error(`the venue ended with ${signal ?? `exit ${code}`}`)
    listening.reject(error)
    for (const { reject } of waiting.values()) reject(error)
  })
  function ask(order: OrderOf<VenueOrder>): Promise<unknown> {
    const id = ++last
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    waiting.set(id, { resolve, reject })
    child.send({ ...order, id })
    return promise
  }
  return {
    url: await listening.promise,
    figures: () => ask({ what: 'figures' }) as Promise<VenueFigures>,
    moveMids: (everyMs, forMs) => ask({ what: 'moveMids', everyMs, forMs }) as Promise<MidsMoved>,
    end: () => void child.kill('SIGTERM'),
  }
}

/** A certificate of its own authority for 127.0.0.1, in `folder`; null where there is no openssl. */
export function makeCertificate(folder: string): VenueInit['tls'] {
  const [key, certificate] = [join(folder, 'venue.key'), join(folder, 'venue.pem')]
  const words = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=bench -addext subjectAltName=IP:127.0.0.1 -keyout ${key} -out ${certificate}`
  try {
    execFileSync('openssl', words.split(' '), { stdio: 'ignore' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  return { key, certificate }
}
