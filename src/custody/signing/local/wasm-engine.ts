import { Hash, Secp256k1 } from 'ox/wasm'
import { err, ok, type Result } from '../../../base/result.ts'

/** Takes and returns bytes; a signature is 65 bytes: the parity of y, r, s, with a low s (RFC 6979). */
export type WasmEngine = {
  readonly keccak256: (bytes: Uint8Array) => Uint8Array
  readonly sign: (hash: Uint8Array, privateKey: Uint8Array) => Uint8Array
}

/** keccak256 of no bytes, and its signature by the key 1. */
const EMPTY_HASH = 'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'
const SIGNED_BY_ONE =
  '01' +
  '03925438bf9bdfed9cb8d9d9467f8fc624f389846f0db71f4f5c84b483077da6' +
  '2ca68cb1027ace392bc6a84fe0ba29288aa07942f571f56201dd33c009ee3886'

/**
 * Compiles libsecp256k1 and keccak in WebAssembly, and checks both against a known answer before use. The error is a
 * sentence.
 */
export async function loadWasmEngine(load = compile): Promise<Result<WasmEngine, string>> {
  try {
    const engine = await load()
    const wrong = wrongAnswer(engine)
    return wrong === null ? ok(engine) : err(`the fast signing engine is broken: ${wrong}`)
  } catch (error) {
    return err(`the fast signing engine did not load (${(error as Error).name})`)
  }
}

async function compile(): Promise<WasmEngine> {
  const [hash, secp256k1] = await Promise.all([Hash.engine(), Secp256k1.engine()])
  return {
    keccak256: hash.keccak256,
    sign: (payload, privateKey) =>
      secp256k1.sign(payload, privateKey, { extraEntropy: false, prehash: false }),
  }
}

function wrongAnswer({ keccak256, sign }: WasmEngine): string | null {
  const hash = keccak256(new Uint8Array())
  if (hexOf(hash) !== EMPTY_HASH) return 'it hashes wrongly'
  const one = new Uint8Array(32)
  one[31] = 1
  return hexOf(sign(hash, one)) === SIGNED_BY_ONE ? null : 'it signs wrongly'
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
