/** A room that holds the money, and the tests that must notice a change of it: they run in the test process. */
export type MutationRoom = {
  readonly name: string
  /** The folder whose files are changed. */
  readonly source: string
  readonly tests: readonly string[]
  /** Tests that take seconds, by a part of their title: thousands of mutants cannot wait for them. */
  readonly except?: readonly string[]
}

/**
 * Unit tests of the room itself: properties, whole engines and simulated days run for seconds, and thousands of mutants cannot wait
 * for them. The changes of code that a test starts in a thread or a process are unknown, so that such tests are missing here too.
 */
export const MUTATION_ROOMS: readonly MutationRoom[] = [
  { name: 'ledger', source: 'src/core/ledger', tests: ['test/unit/core/ledger/**/*.test.ts'] },
  { name: 'risk', source: 'src/core/risk', tests: ['test/unit/core/risk/**/*.test.ts'] },
  { name: 'rfq', source: 'src/core/rfq', tests: ['test/unit/core/rfq/**/*.test.ts'] },
  {
    name: 'signing',
    source: 'src/custody/signing',
    tests: ['test/unit/custody/signing/**/*.test.ts'],
    except: ["at geth's", 'takers that fill at once'],
  },
  {
    name: 'treasury-intents',
    source: 'src/treasury/intents',
    tests: [
      'test/unit/treasury/intents/*.test.ts',
      'test/unit/treasury/core/*.test.ts',
      'test/unit/treasury/{approvals,books}/*.test.ts',
    ],
    except: ['no other envelope has it', 'within bounds, claims without'],
  },
]

export function roomNamed(name: string): MutationRoom {
  const found = MUTATION_ROOMS.find((room) => room.name === name)
  if (found === undefined) {
    const names = MUTATION_ROOMS.map((room) => room.name).join(', ')
    throw new Error(`there is no room "${name}"; those whose code is mutated are ${names}`)
  }
  return found
}
