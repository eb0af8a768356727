/// <reference types="ses" />

let locked: Promise<void> | null = null

/**
 * Freezes the language of this thread: from now on no code can change Array, Object or Promise. A thread that runs a
 * strategy does this first. Idempotent.
 *
 * Modules that take a frozen name for their own as they load have to be loaded before: of ours decimal.js, which
 * everything that counts money imports, and viem.
 */
export function lockDown(): Promise<void> {
  locked ??= lock()
  return locked
}

async function lock(): Promise<void> {
  await import('ses')
  // The one door to promises that needs no `Promise` and no `async`: without it, nothing of a strategy runs later.
  Reflect.deleteProperty(Array, 'fromAsync')
  lockdown({
    // What our own errors show in a log stays as it is; a strategy sees text of the stack, and no more than text.
    errorTaming: 'unsafe',
    stackFiltering: 'verbose',
    consoleTaming: 'unsafe',
    // Reports group digits with toLocaleString.
    localeTaming: 'unsafe',
    domainTaming: 'unsafe',
    // Packages may give their own classes a toString though Object's is frozen. 'severe' would cover every name, and
    // makes getters of all methods: a question to a strategy then costs three times as much.
    overrideTaming: 'moderate',
    // Our own way with rejections and exceptions is Node's.
    errorTrapping: 'none',
    unhandledRejectionTrapping: 'none',
    reporting: 'none',
  })
}
