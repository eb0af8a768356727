import { afterAll } from 'vitest'
import { endDaemons } from './running-daemon.ts'

// A setup file of each tier that starts daemons.

afterAll(endDaemons)
