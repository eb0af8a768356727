import { afterAll, beforeAll, describe } from 'vitest'
import { startServer, stopServer } from '../../contract/store/both-stores.ts'
import { testStore } from '../../contract/store/store-contract.ts'
import { needs } from '../../support/needs.ts'
import { postgresSurroundings } from '../../support/postgres.ts'

describe.skipIf(needs('initdb', postgresSurroundings()))('a store in PostgreSQL', () => {
  beforeAll(async () => void (await startServer()))
  afterAll(stopServer)
  testStore('PostgreSQL')
})
