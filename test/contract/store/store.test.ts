import { describe } from 'vitest'
import { testStore } from './store-contract.ts'

describe('a store in SQLite', () => {
  testStore('SQLite')
})
