import { Duplex } from 'node:stream'
import type { Socket } from 'node:net'
import type { Ms } from '../time.ts'
import { createDialler, type DialWorld } from './dial.ts'

/** A socket from `createDialler` for clients that need it before it is connected: `pg` and agents of `node:http`. */
export class DialledStream extends Duplex {
  #socket: Socket | null = null
  #cancel = (): void => undefined
  readonly #dialler
  /** Dialled sockets have no delay, and requests have their own deadlines. */
  readonly setNoDelay = (): this => this
  readonly setTimeout = (): this => this

  constructor(timeoutMs: Ms, world?: DialWorld) {
    super({ allowHalfOpen: false })
    this.#dialler = createDialler(timeoutMs, world)
  }

  /** `place` is a port or the path of a Unix socket. */
  connect(place: number | string, host = 'localhost'): this {
    const [at, port] = typeof place === 'string' ? [place, 0] : [host, place]
    this.#cancel = this.#dialler.dial(at, port, (error, socket) => {
      if (error !== null) this.destroy(error)
      else this.#take(socket)
    })
    return this
  }

  /** Returns the connection attempts until it is connected; '' afterwards. */
  tried(): string {
    return this.#socket === null ? this.#dialler.tried() : ''
  }

  #take(socket: Socket): void {
    this.#socket = socket
    socket.on('data', (chunk) => {
      if (!this.push(chunk)) socket.pause()
    })
    socket.on('end', () => this.push(null))
    socket.on('error', (error) => this.destroy(error))
    this.emit('connect')
  }

  override _read(): void {
    this.#socket?.resume()
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    if (this.#socket === null) this.once('connect', () => this.#socket?.write(chunk, done))
    else this.#socket.write(chunk, done)
  }

  /** Sends chunks that were written together as one. */
  override _writev(
    chunks: readonly { readonly chunk: Buffer }[],
    done: (error?: Error | null) => void,
  ): void {
    this._write(Buffer.concat(chunks.map(({ chunk }) => chunk)), 'utf8', done)
  }

  override _final(done: () => void): void {
    if (this.#socket === null) done()
    else this.#socket.end(done)
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#cancel()
    this.#socket?.destroy()
    // The TLS layer first reports why it ended the connection.
    setImmediate(done, error)
  }

  /** Discards the kernel's send queue. */
  resetAndDestroy(): void {
    if (this.#socket?.destroyed === false) this.#socket.resetAndDestroy()
    this.destroy()
  }

  setKeepAlive(isOn: boolean, delayMs?: Ms): this {
    this.#socket?.setKeepAlive(isOn, delayMs)
    return this
  }

  ref(): this {
    this.#socket?.ref()
    return this
  }

  unref(): this {
    this.#socket?.unref()
    return this
  }
}
