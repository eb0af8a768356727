import { z } from 'zod'
import { field } from './field.ts'

const KINDS = ['keystore', 'envKey', 'web3signer'] as const

/** Where the key is: exactly one of a keystore with its password, a variable (for tests), a remote signer. */
export const signerSection = z
  .strictObject({
    keystore: field.text.optional().describe('A geth V3 file, relative to this file.'),
    password: field.secret
      .optional()
      .describe('The password of the keystore: !file PATH; its first line is read.'),
    envKey: field.secret.optional().describe('32 bytes of hex, for tests: !env NAME.'),
    allowInLive: z.boolean().default(false).describe('Lets `envKey` sign in mode live.'),
    web3signer: field.url.optional().describe('A Web3Signer that keeps the key of `maker`.'),
    allowPlainHttp: z
      .boolean()
      .default(false)
      .describe(
        'Allows http:// to another host for web3signer: anybody on the network can send it orders to sign.',
      ),
  })
  .superRefine((signer, context) => {
    const refuse = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message })
    const given = KINDS.filter((kind) => signer[kind] !== undefined)
    if (given.length !== 1) {
      const found =
        given.length === 0 ? 'no key is named' : `${given.join(' and ')} are two places for one key`
      refuse([], `${found}; one of keystore, envKey and web3signer is needed here`)
    }
    if (signer.keystore !== undefined && signer.password === undefined)
      refuse([], 'the keystore has no password; password: !file PATH is needed here')
    if (signer.keystore === undefined && signer.password !== undefined)
      refuse(['password'], 'a password without a keystore; leave it out, or name the keystore')
    if (signer.password?.kind === 'env')
      refuse(['password'], 'a variable is seen by every child process; !file PATH would be right')
    if (signer.envKey?.kind === 'file')
      refuse(
        ['envKey'],
        'a file in plain text is no place for a key; !env NAME, or a keystore, would be right',
      )
  })
